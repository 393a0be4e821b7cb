// What pages do beyond what they do without scripts: countdown, live verdicts, copy buttons, drafts, keys.
// Never the only way to do anything.
"use strict";
(() => {
  const body = document.body;
  const words = JSON.parse(body.dataset.words || "{}");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // ---- the clock: the server's, carried on by the browser's monotonic one ----
  let serverNow = Number(body.dataset.now), at = performance.now();
  const now = () => serverNow + (performance.now() - at);
  const setClock = (ms) => { serverNow = ms; at = performance.now(); };
  const until = Number(body.dataset.until || 0);
  const two = (n) => String(n).padStart(2, "0");
  let isOver = until !== 0 && now() >= until;
  function tick() {
    if (!until) return;
    const left = Math.max(0, Math.ceil((until - now()) / 1000));
    const text = `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
    for (const place of all("[data-countdown]")) if (place.textContent !== text) place.textContent = text;
    // A phase ended: everybody's page changes, but not all in the same moment. What is being written stays.
    if (left === 0 && !isOver) {
      isOver = true;
      setTimeout(loadAgain, 200 + Math.random() * 2000);
    }
  }
  const isWriting = () => all("textarea").some((area) => area.value !== area.defaultValue);
  // A form that is on its way brings the new page itself; to load the old one again would throw its answer away.
  let leavesUntil = 0;
  document.addEventListener("submit", (event) => { if (!event.defaultPrevented) leavesUntil = performance.now() + 60000; });
  function loadAgain() {
    if (isWriting()) toast(words.phase_changed);
    else if (performance.now() >= leavesUntil) location.reload();
  }
  setInterval(tick, 250);
  tick();

  // ---- toasts ----
  function toast(text, href) {
    if (!text) return;
    const box = document.createElement("div");
    box.className = "toast";
    if (href) { const link = document.createElement("a"); link.href = href; link.textContent = text; box.append(link); }
    else box.textContent = text;
    document.getElementById("toasts").append(box);
    setTimeout(() => box.remove(), 9000);
  }

  // ---- regions that are fetched again when something happened ----
  const shown = new Map();
  const isBusy = (region) => all("textarea", region).some((area) => area === document.activeElement || area.value !== area.defaultValue);
  let refreshing = false, again = false;
  async function refresh() {
    if (refreshing) { again = true; return; }
    refreshing = true;
    try {
      const answer = await fetch(location.href);
      if (answer.ok && !answer.redirected) replace(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch { /* the next event tries again */ }
    refreshing = false;
    if (again) { again = false; setTimeout(refresh, 300); }
  }
  function replace(fresh) {
    for (const region of all("[data-refresh]")) {
      const html = fresh.getElementById(region.id)?.innerHTML;
      if (html === undefined || html === shown.get(region.id) || isBusy(region)) continue;
      const open = all("details", region).map((it) => it.open);
      region.innerHTML = html;
      shown.set(region.id, html);
      all("details", region).forEach((it, i) => { if (open[i] !== undefined) it.open = open[i]; });
      ready(region);
    }
    const nav = document.querySelector(".bar nav"), freshNav = fresh.querySelector(".bar nav");
    if (nav && freshNav && nav.innerHTML !== freshNav.innerHTML) nav.innerHTML = freshNav.innerHTML;
  }
  let boardTag = "";
  async function refreshBoard() {
    const place = document.querySelector("[data-board]");
    if (!place) return;
    try {
      const answer = await fetch(place.dataset.board, { headers: boardTag ? { "If-None-Match": boardTag } : {} });
      if (answer.status !== 200) return;
      boardTag = answer.headers.get("ETag") || "";
      place.innerHTML = await answer.text();
      markOwn();
    } catch { /* the next event tries again */ }
  }
  function markOwn() {
    const place = document.querySelector("[data-board]"), own = place && place.dataset.own;
    if (own) for (const row of all("tr[data-team]", place)) row.classList.toggle("own", row.dataset.team === own);
  }
  let boardTimer = 0;
  function boardSoon() { if (!boardTimer) boardTimer = setTimeout(() => { boardTimer = 0; refreshBoard(); }, 200 + Math.random() * 800); }
  let refreshTimer = 0;
  function soon() { if (!refreshTimer) refreshTimer = setTimeout(() => { refreshTimer = 0; refresh(); }, 60); }

  // ---- live events: one stream for all tabs of this browser ----
  function happened(event) {
    if (event.now) setClock(event.now);
    switch (event.kind) {
      // The stream begins where the server is; the page may be older.
      case "hello": if (event.seq > Number(body.dataset.live)) { soon(); boardSoon(); } break;
      case "progress":
        for (const place of all(`[data-verdict="${event.submission}"] .verdict`)) {
          let small = place.querySelector("small");
          if (!small) { small = document.createElement("small"); place.append(" ", small); }
          small.textContent = `${event.test}/${event.tests}`;
        }
        break;
      case "judged": toastOnce(event, words.judged, `/submissions/${event.submission}`); soon(); break;
      case "submitted": case "queue": soon(); break;
      case "board": boardSoon(); break;
      case "clarification": toastOnce(event, words.clarification, "/clarifications"); soon(); break;
      case "contest": loadAgain(); break;
    }
  }
  function toastOnce(event, text, href) {
    if (!event.quiet && document.visibilityState === "visible" && !location.pathname.startsWith(href)) toast(event.text ? `${text}: ${event.text}` : text, href);
  }
  function follow() {
    if (body.dataset.live === undefined || !window.EventSource) return;
    const channel = "BroadcastChannel" in window ? new BroadcastChannel("touchstone") : null;
    if (channel) channel.onmessage = (message) => happened(message.data);
    let last = -1;
    const lead = () => new Promise(() => {
      // Browsers allow six connections to a plain HTTP server: only the tab that holds the lock opens one.
      const open = () => {
        const stream = new EventSource(last < 0 ? "/live" : `/live?after=${last}`);
        stream.onmessage = (message) => {
          const event = JSON.parse(message.data);
          if (event.seq) last = event.seq;
          happened(event);
          if (channel) channel.postMessage(event);
        };
        stream.onerror = () => { if (stream.readyState === EventSource.CLOSED) setTimeout(open, 3000 + Math.random() * 3000); };
      };
      open();
    });
    // Locks want a secure context, which a LAN address is not: there a shared worker holds the stream, else each tab its own.
    if (navigator.locks) navigator.locks.request("touchstone-live", lead);
    else if (window.SharedWorker) {
      const worker = new SharedWorker("/assets/live.js", "touchstone");
      worker.port.onmessage = (message) => happened(message.data);
      worker.port.start();
    } else lead();
  }

  // ---- instants in the viewer's own zone ----
  function localize(within) {
    for (const place of all("time[datetime]", within)) {
      const instant = new Date(place.dateTime);
      if (Number.isNaN(instant.getTime())) continue;
      const text = instant.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "medium" });
      place.title = text;
      if (place.textContent.endsWith("UTC")) place.textContent = text;
    }
  }

  // ---- small comforts ----
  function ready(within) {
    localize(within);
    for (const button of all("[data-copy]", within)) {
      button.hidden = false;
      button.onclick = async () => {
        const text = document.getElementById(button.dataset.copy).textContent;
        if (await copied(text)) { const was = button.textContent; button.textContent = words.copied; setTimeout(() => { button.textContent = was; }, 1500); }
      };
    }
    for (const button of all("[data-fill]", within)) {
      button.hidden = false;
      button.onclick = () => { button.closest("form").querySelector("textarea").value = button.dataset.fill; };
    }
    for (const button of all("[data-confirm]", within)) button.onclick = (event) => { if (!confirm(button.dataset.confirm)) event.preventDefault(); };
  }
  async function copied(text) {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* plain HTTP has no clipboard */ }
    const area = document.createElement("textarea");
    area.value = text; area.style.position = "fixed"; area.style.opacity = "0";
    body.append(area); area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }

  function editor() {
    const form = document.querySelector("[data-submit]");
    if (!form) return;
    const area = form.querySelector("[data-editor]"), language = form.querySelector("[data-language]"), file = form.querySelector("[data-file]");
    const key = `draft ${form.dataset.draft}`, languageKey = "language";
    try {
      if (!area.value) area.value = localStorage.getItem(key) || "";
      if (!language.value) { const last = localStorage.getItem(languageKey); if (all("option", language).some((it) => it.value === last)) language.value = last; }
    } catch { /* no storage, no drafts */ }
    const keep = () => { try { localStorage.setItem(key, area.value); localStorage.setItem(languageKey, language.value); } catch { /* as above */ } };
    area.addEventListener("input", keep);
    language.addEventListener("change", keep);
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); form.requestSubmit(); return; }
      // Escape gives Tab back to those who walk the page by keys.
      if (event.key === "Escape") { area.dataset.leaves = "yes"; return; }
      if (event.key === "Tab" && !area.dataset.leaves && !event.ctrlKey && !event.altKey) { event.preventDefault(); indent(area, event.shiftKey); keep(); }
      if (event.key === "Enter" && !event.isComposing) {
        const line = area.value.slice(0, area.selectionStart).split("\n").pop(), space = line.match(/^[ \t]*/)[0] + (/[{:(\[]\s*$/.test(line) ? "    " : "");
        if (space) { event.preventDefault(); area.setRangeText(`\n${space}`, area.selectionStart, area.selectionEnd, "end"); keep(); }
      }
    });
    area.addEventListener("focus", () => { delete area.dataset.leaves; });
    const byExtension = (name) => {
      const extension = name.split(".").pop().toLowerCase();
      const option = all("option", language).find((it) => (it.dataset.extensions || "").split(" ").includes(extension));
      if (option && language.value && language.value !== option.value) toast(words.language_differs);
      if (option) language.value = option.value;
    };
    file.addEventListener("change", () => { if (file.files[0]) byExtension(file.files[0].name); });
    const drop = form.querySelector(".drop");
    for (const kind of ["dragover", "dragenter"]) form.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
    for (const kind of ["dragleave", "drop"]) form.addEventListener(kind, () => drop.classList.remove("over"));
    form.addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      file.files = event.dataTransfer.files;
      byExtension(file.files[0].name);
    });
    form.addEventListener("submit", () => keep());
    const starter = form.querySelector("[data-starter]");
    if (starter) {
      const template = () => all("[data-starter-of]").find((it) => it.dataset.starterOf === language.value);
      const show = () => { starter.hidden = !template(); };
      language.addEventListener("change", show);
      show();
      starter.onclick = () => {
        if (area.value.trim() && !confirm(words.replace)) return;
        area.value = template().content.textContent;
        keep();
        area.focus();
      };
    }
  }
  function indent(area, back) {
    const { value, selectionStart: from, selectionEnd: to } = area;
    if (from === to && !back) { area.setRangeText("    ", from, to, "end"); return; }
    const start = value.lastIndexOf("\n", from - 1) + 1;
    const lines = value.slice(start, to).split("\n").map((line) => (back ? line.replace(/^(\t| {1,4})/, "") : `    ${line}`));
    area.setRangeText(lines.join("\n"), start, to, "select");
  }

  // ---- keys: g then a letter goes somewhere, A…Z or 1…9 after p to a problem ----
  let prefix = "", prefixTimer = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const places = { p: "/problems", b: "/board", s: "/submissions", c: "/clarifications" };
    if (prefix === "g" && places[event.key]) { location.href = places[event.key]; prefix = ""; return; }
    prefix = event.key === "g" ? "g" : "";
    clearTimeout(prefixTimer);
    prefixTimer = setTimeout(() => { prefix = ""; }, 1500);
    if (/^[1-9]$/.test(event.key)) { const link = document.querySelector(`[data-problem="${event.key}"]`); if (link) location.href = link.href; }
    if (event.key === "j" || event.key === "k") {
      const links = all(".crumbs a"), here = links.findIndex((it) => it.hasAttribute("aria-current"));
      const link = links[here + (event.key === "j" ? 1 : -1)];
      if (link) location.href = link.href;
    }
  });

  ready(document);
  editor();
  markOwn();
  follow();
})();
