// One stream of events for every tab of a browser, where tabs have no locks to agree by.
"use strict";
const ports = new Set();
let last = -1, hello = null;
function open() {
  const stream = new EventSource(last < 0 ? "/live" : `/live?after=${last}`);
  stream.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.seq) last = event.seq;
    if (event.kind === "hello") hello = event;
    for (const port of ports) port.postMessage(event);
  };
  stream.onerror = () => { if (stream.readyState === EventSource.CLOSED) setTimeout(open, 4000); };
}
self.onconnect = (event) => {
  const port = event.ports[0];
  if (ports.size === 0) open();
  ports.add(port);
  port.start();
  if (hello) port.postMessage({ kind: "hello", seq: last });
};
