
;(function () {
  "use strict";
  const touchstoneProcess = globalThis.process;
  const fs = touchstoneProcess.getBuiltinModule ? touchstoneProcess.getBuiltinModule("fs") : require("fs");
  if (typeof @FUNCTION@ !== "function") {
    touchstoneProcess.stderr.write("expected: @SIGNATURE@; found: " + typeof @FUNCTION@ + " @NAME@\n");
    touchstoneProcess.exit(1);
  }
  // Whatever the solution did to what reporting needs, or asked to be done at the end, the process ends.
  const leave = touchstoneProcess.reallyExit.bind(touchstoneProcess);
  const kind = "@KIND@";
  const chunk = Buffer.alloc(1 << 16);
  let pending = "";

  // The next line of the requests, or null at their end.
  function line() {
    for (;;) {
      const end = pending.indexOf("\n");
      if (end >= 0) {
        const found = pending.slice(0, end);
        pending = pending.slice(end + 1);
        return found;
      }
      let got;
      try {
        got = fs.readSync(3, chunk, 0, chunk.length, null);
      } catch (error) {
        if (error.code === "EAGAIN" || error.code === "EINTR") continue;
        if (error.code !== "EOF") throw error;
        got = 0;
      }
      if (got === 0) return null;
      pending += chunk.latin1Slice(0, got);
    }
  }

  function list(text, of) {
    const values = text.split(" ");
    values.shift();
    return values.map(of);
  }

  function escaped(text) {
    return text.replace(/[\\\u0000-\u001f\u007f]/g, function (one) {
      const plain = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
      return plain[one] || "\\x" + one.charCodeAt(0).toString(16).padStart(2, "0");
    });
  }

  // A value that is no answer, as a message names it.
  function other(value) {
    let text;
    if (value === null || value === undefined || typeof value === "number" || typeof value === "boolean") {
      text = String(value);
    } else if (value instanceof Promise) {
      text = "a Promise";
    } else {
      try {
        text = JSON.stringify(value);
      } catch (error) {
        text = undefined;
      }
      if (text === undefined) text = "a value of type " + typeof value;
    }
    return "?" + escaped(text.slice(0, 200));
  }

  function integer(value) {
    if (typeof value === "bigint") return value.toString();
    if (typeof value === "number" && Number.isInteger(value)) return BigInt(value).toString();
    return null;
  }

  function answer(value) {
    if (kind === "text") return typeof value === "string" ? "=" + escaped(value) : other(value);
    // As in JavaScript itself, 0 is as good as false and any other number as true: `return ones && twos`.
    const isTruth = typeof value === "boolean" || typeof value === "number";
    if (kind === "bool") return isTruth ? "=" + Boolean(value) : other(value);
    if (kind === "int") return integer(value) === null ? other(value) : "=" + integer(value);
    const isList = Array.isArray(value) || ArrayBuffer.isView(value);
    const items = isList ? Array.from(value, integer) : [null];
    return items.includes(null) ? other(value) : "=" + items.join(" ");
  }

  // The error with its stack, without our own frames: those below the last line of the solution.
  function complain(error) {
    try {
      // As stacks call it, which are told with links resolved.
      const file = fs.realpathSync(touchstoneProcess.argv[1]);
      const lines = String((error && error.stack) || "Uncaught " + error).split("\n");
      const isOurs = function (text) {
        const at = text.lastIndexOf(file + ":");
        return at >= 0 && parseInt(text.slice(at + file.length + 1), 10) > @LAST_LINE@;
      };
      const ours = lines.findIndex(isOurs);
      const kept = (ours < 0 ? lines : lines.slice(0, ours)).join("\n").split(file).join("@FILE@");
      fs.writeSync(2, kept + "\n");
    } finally {
      leave(1);
    }
  }

  for (let nonce = line(); nonce !== null; nonce = line()) {
@READ@
    let value;
    try {
      value = @CALL@;
    } catch (error) {
      complain(error);
    }
    let reply = Buffer.from(nonce + " " + answer(value) + "\n", "utf8");
    while (reply.length > 0) reply = reply.subarray(fs.writeSync(4, reply));
  }
  leave(0);
})();
