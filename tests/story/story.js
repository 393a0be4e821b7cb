// A contest as people live it, in Debian's Chromium: staff and contestants, each in a browser of his own, from the first
// login to upsolving. `node story.js URL CONTEST.json [FOLDER FOR PICTURES]`; ends with status 1 and what went wrong.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [address, contestFile, pictures] = process.argv.slice(2);
const contest = JSON.parse(fs.readFileSync(contestFile, "utf8"));
const port = new URL(address).port;
// As on a school's network: a plain address that no browser holds for secure, so that tabs share by a worker.
const url = `http://contest.test:${port}`;
const axePath = require.resolve("axe-core/axe.min.js");
const PATIENCE_MS = 120_000;
const begun = Date.now();
const troubles = [];
// Answers that are refusals on purpose, streams that end with their page, and a header that only counts with TLS.
const NOISE = /Failed to load resource|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION|Cross-Origin-Opener-Policy/;

function step(text) { console.log(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`); }

async function main() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP contest.test 127.0.0.1"],
  });
  try { await story(browser); } finally { await browser.close(); }
  assert.deepEqual(troubles, [], "what browsers complained of");
}

/** Somebody with a browser of his own. */
async function person(browser, name, { wide = 1280, high = 900, tongue = "en", theme = "light", scripts = true } = {}) {
  const context = await browser.newContext({ viewport: { width: wide, height: high }, javaScriptEnabled: scripts, locale: "en-GB", timezoneId: "Asia/Vladivostok" });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addCookies([cookie("touchstone-language", tongue), cookie("touchstone-theme", theme)]);
  const page = await context.newPage();
  watch(page, name);
  page.on("dialog", (dialog) => dialog.accept());
  return { name, context, page };
}
const cookie = (name, value) => ({ name, value, url });
function watch(page, name) {
  page.on("pageerror", (error) => troubles.push(`${name}: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !NOISE.test(text)) troubles.push(`${name}: ${text}`);
  });
}

async function logIn({ page }, login, password) {
  await go(page, `${url}/login`);
  await page.fill("[name=login]", login);
  await page.fill("[name=password]", password);
  await Promise.all([page.waitForURL((it) => !it.pathname.startsWith("/login")), page.click("main button")]);
}

/** Opens a page, also when the one that is open loads itself again in the same moment. */
async function go(page, to) {
  for (let tries = 0; ; tries += 1) {
    try { return await page.goto(to); } catch (error) { if (tries >= 20 || !/interrupted|ERR_ABORTED/.test(error.message)) throw error; }
    await page.waitForTimeout(100);
  }
}

/** Hands in by the form, as one who types. */
async function submit({ page }, label, language, code, { byKeys = false } = {}) {
  await go(page, `${url}/problems/${label}`);
  await page.selectOption("[name=language]", language);
  await page.fill("[name=code]", code);
  const done = page.waitForURL("**/problems/*note=submitted*");
  if (byKeys) { await page.focus("[name=code]"); await page.keyboard.press("Control+Enter"); } else await page.click("form[action$='/submit'] button:not([type=button])");
  await done;
}

/** Waits for something on a page that nobody reloads. */
async function appears({ page }, selector, what) {
  await page.evaluate(() => { window.isTheSamePage = true; });
  await page.waitForSelector(selector).catch((error) => { throw new Error(`${what}: ${error.message}`); });
  assert.equal(await page.evaluate(() => window.isTheSamePage), true, `${what}: the page was reloaded`);
}

async function press({ page }, path, selector) {
  await go(page, url + path);
  await Promise.all([page.waitForURL("**note=done**"), page.click(selector)]);
}

const order = (admin, what) => press(admin, "/staff/contest", `form:has([name=do][value=${what}]) button`);

async function picture({ page }, name) {
  if (!pictures) return;
  fs.mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

/** On a phone nothing but tables in their own frames is wider than the screen. */
async function fits({ page }, what) {
  const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(content <= screen, `${what}: ${content} px wide on a screen of ${screen} px`);
}

async function story(browser) {
  const admin = await person(browser, "admin");
  await logIn(admin, contest.admin, contest.password);
  assert.equal(new URL(admin.page.url()).pathname, "/staff");
  await picture(admin, "staff-before");

  step("thirty accounts are imported");
  const names = ["The Owls", "Совы", "猫头鹰队", "<b>Bold</b> & Co", ...Array.from({ length: 26 }, (_, at) => `Team number ${at + 5}`)];
  await go(admin.page, `${url}/staff/accounts`);
  await admin.page.fill("[name=text]", names.join("\n"));
  await admin.page.click("form[action='/staff/accounts'] button");
  await admin.page.waitForSelector(".slip");
  const slips = await admin.page.$$eval(".slip", (all) => all.map((slip) => [...slip.querySelectorAll("code")].map((code) => code.textContent)));
  assert.equal(slips.length, 30);
  await picture(admin, "sheet");

  step("three contestants log in and wait");
  const owls = await person(browser, "owls");
  const sovy = await person(browser, "sovy", { wide: 360, high: 740, tongue: "ru", theme: "dark" });
  const silent = await person(browser, "without scripts", { tongue: "zh", scripts: false });
  for (const [at, one] of [owls, sovy, silent].entries()) {
    await logIn(one, ...slips[at]);
    await go(one.page, `${url}/problems`);
    await one.page.waitForSelector("[data-reload-at-end], .centre");
    assert.doesNotMatch(await one.page.content(), /Quokka/);
  }
  await fits(sovy, "the page that waits");
  await picture(owls, "waiting");
  await order(admin, "start");
  // Whoever waits sees the problems by himself.
  await owls.page.waitForSelector("#problems");
  await sovy.page.waitForSelector("#problems");
  await picture(owls, "problems-before");

  step("right, in C++, with the keyboard: the verdict comes by itself");
  await submit(owls, "A", "cpp", contest.right_cpp, { byKeys: true });
  await appears(owls, "#own .verdict.good", "the verdict of the right program");
  await picture(owls, "problem");
  step("wrong, in Python, then slow, in C, on a phone");
  await submit(sovy, "A", "python", contest.wrong_python);
  await appears(sovy, "#own .verdict.bad", "the verdict of the wrong program");
  assert.match(await sovy.page.textContent("#own .verdict.bad"), /WA/);
  await submit(sovy, "B", "c", contest.slow_c);
  await appears(sovy, "#own .verdict.bad", "the verdict of the slow program");
  assert.match(await sovy.page.textContent("#own .verdict.bad"), /TLE/);
  await fits(sovy, "a problem");
  step("right but for a space, which a checker that is too strict takes for wrong");
  await submit(owls, "B", "cpp", contest.padded_cpp);
  await appears(owls, "#own .verdict.bad", "the verdict of the checker that is too strict");
  step("what does not compile");
  await submit(owls, "B", "cpp", "int main() { return hedgehog; }\n");
  await appears(owls, "#own tr:first-child .verdict.bad", "the verdict of what does not compile");
  await Promise.all([owls.page.waitForURL("**/submissions/*"), owls.page.click("#own tr:first-child a")]);
  assert.match(await owls.page.textContent("pre.log"), /hedgehog/);
  await picture(owls, "compile-error");

  step("the board moves while one looks at it, and one without scripts moves it");
  await go(owls.page, `${url}/board`);
  await submit(silent, "A", "c", contest.right_c);
  await appears(owls, "tr:has-text('猫头鹰队') td.cell.solved", "the board");
  for (let tries = 0; !(await silent.page.content()).includes("verdict good"); tries += 1) {
    assert.ok(tries < 200, "no verdict without scripts");
    await silent.page.waitForTimeout(200);
    await go(silent.page, `${url}/submissions`);
  }
  await picture(silent, "without-scripts");

  step("seven tabs of one browser are all alive");
  const tabs = [];
  for (let at = 0; at < 7; at += 1) {
    const tab = await owls.context.newPage();
    watch(tab, `tab ${at}`);
    await tab.goto(`${url}/clarifications`);
    tabs.push(tab);
  }

  step("a question is asked and answered");
  await go(sovy.page, `${url}/clarifications`);
  await sovy.page.fill("[name=text]", "Можно ли n = 0?");
  await Promise.all([sovy.page.waitForURL("**note=asked**"), sovy.page.click("form[action='/clarifications'] button")]);
  await go(admin.page, `${url}/clarifications`);
  await admin.page.fill("[name=answer]", "Нет, n ≥ 1.");
  await admin.page.check("[name=to_all]");
  await picture(admin, "answering");
  await Promise.all([admin.page.waitForURL("**note=done**"), admin.page.click("form[action^='/staff/clarifications/'] button:not([type=button])")]);
  await appears(sovy, "text=Нет, n ≥ 1.", "the answer");
  for (const tab of tabs) await appears({ page: tab }, "text=Нет, n ≥ 1.", "the answer in every tab");
  await picture(sovy, "answered");
  for (const tab of tabs) await tab.close();

  step("the freeze hides");
  await order(admin, "freeze");
  await submit(sovy, "A", "python", contest.right_python);
  await appears(sovy, "#own .verdict.good", "one's own verdict behind the freeze");
  await go(owls.page, `${url}/board`);
  await owls.page.waitForSelector("#board tr:has-text('Совы') td.cell.pending");
  assert.equal(await owls.page.locator("#board tr:has-text('Совы') td.cell.solved, #board tr:has-text('Совы') td.cell.first").count(), 0);
  await picture(owls, "board-frozen");
  await go(sovy.page, `${url}/board`);
  assert.equal(await sovy.page.locator("#own td.cell.solved").count(), 1, "one's own row is live");
  await fits(sovy, "the board");
  await picture(sovy, "board-frozen-phone");

  step("the checker is mended: the problem is read again, a rejudge is looked at, then applied");
  const { file, wrong, right } = contest.mend;
  const text = fs.readFileSync(file, "utf8");
  const readAgain = "form[action='/staff/problems/B'] button[value=read]";
  fs.writeFileSync(file, text.replace(wrong, "kind = 3"));
  await go(admin.page, `${url}/staff/contest`);
  await admin.page.click(readAgain);
  await admin.page.waitForSelector("pre:has-text('kind = 3')");
  await picture(admin, "not-read");
  fs.writeFileSync(file, text.replace(wrong, right));
  await go(admin.page, `${url}/staff/contest`);
  await Promise.all([admin.page.waitForURL("**/staff/submissions?problem=B&note=read"), admin.page.click(readAgain)]);
  await picture(admin, "staff-submissions");
  await go(owls.page, `${url}/problems/B`);
  await Promise.all([admin.page.waitForURL("**/staff/rejudges**"), admin.page.click("form[action='/staff/rejudges'] button")]);
  await appears(admin, "form[action$='/apply'] button:not([disabled])", "the preview");
  const changes = await admin.page.$$eval("#rejudges tbody tr", (rows) => rows.map((row) => row.textContent.replace(/\s+/g, " ")));
  assert.equal(changes.length, 1, changes.join("; "));
  assert.match(changes[0], /The Owls.*WA.*AC/);
  await picture(admin, "rejudge");
  assert.equal(await owls.page.locator("#own .verdict.good").count(), 0, "nothing has changed yet");
  await admin.page.click("form[action$='/apply'] button");
  await admin.page.waitForFunction(() => !document.querySelector("form[action$='/apply']"));
  await appears(owls, "#own .verdict.good", "the new verdict");
  await go(owls.page, `${url}/board`);
  await owls.page.waitForSelector("#board tr:has-text('The Owls') td.cell:nth-of-type(5):is(.solved, .first)");

  step("the end, and what was hidden");
  await order(admin, "end");
  await order(admin, "thaw");
  await go(owls.page, `${url}/board`);
  await owls.page.waitForSelector("#board tr:has-text('Совы') td.cell.solved");
  await picture(owls, "board");

  step("upsolving shows the smallest failing input");
  await go(sovy.page, `${url}/submissions`);
  await Promise.all([sovy.page.waitForURL("**/submissions/*"), sovy.page.click("tr:has(:text('WA')) a")]);
  await appears(sovy, ".failing .card pre", "the smallest failing input");
  await fits(sovy, "a submission");
  await picture(sovy, "smallest");

  step("another one takes the contest by himself, with ghosts");
  const ghost = await person(browser, "virtual", { theme: "dark" });
  await logIn(ghost, ...slips[3]);
  await go(ghost.page, `${url}/problems`);
  await Promise.all([ghost.page.waitForURL("**/problems"), ghost.page.click("form[action='/virtual'] button")]);
  await submit(ghost, "A", "python", contest.right_python);
  await appears(ghost, "#own .verdict.good", "the verdict of the virtual contest");
  await go(ghost.page, `${url}/board`);
  assert.equal(await ghost.page.locator("h1 .tag").count(), 1, "it says that there are ghosts");
  assert.equal(await ghost.page.locator("tr.own td.cell.solved, tr.own td.cell.first").count(), 1);
  await picture(ghost, "ghosts");

  step("language and theme are chosen");
  await go(owls.page, `${url}/problems/A`);
  assert.match(await owls.page.textContent("h1"), /Quokkas/);
  await owls.page.selectOption("[name=tongue]", "zh");
  await owls.page.selectOption("[name=theme]", "dark");
  await Promise.all([owls.page.waitForNavigation(), owls.page.click("footer button")]);
  assert.equal(await owls.page.getAttribute("html", "lang"), "zh");
  assert.equal(await owls.page.getAttribute("html", "data-theme"), "dark");
  assert.match(await owls.page.textContent("h1"), /短尾/);

  step("axe looks at every page, light and dark; a phone scrolls down only");
  await inspect(browser, admin, ["/staff", "/staff/submissions", "/staff/rejudges", "/staff/contest", "/staff/accounts", "/staff/audit", "/clarifications", "/board"]);
  await inspect(browser, sovy, ["/problems", "/problems/A", "/submissions", new URL(sovy.page.url()).pathname, "/board", "/clarifications", "/nowhere"]);
  await inspect(browser, await person(browser, "nobody"), ["/login", "/board"]);
}

/** Looks at pages with axe in both themes and at a phone's width, in one language each. */
async function inspect(browser, of, paths) {
  const kept = (await of.context.cookies()).filter((it) => it.name === `touchstone-${port}`);
  for (const [theme, tongue] of [["light", "en"], ["dark", "ru"], ["light", "zh"]]) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript({ path: axePath });
    await context.addCookies([...kept, cookie("touchstone-language", tongue), cookie("touchstone-theme", theme)]);
    const page = await context.newPage();
    for (const it of paths) {
      await go(page, url + it);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      for (const { id, impact, nodes } of violations) {
        if (impact === "serious" || impact === "critical") troubles.push(`axe, ${it}, ${theme}: ${impact} ${id}: ${nodes.map((node) => node.html.slice(0, 150)).slice(0, 3).join(" | ")}`);
      }
      const name = `${of.name}${it.replaceAll("/", "-")}-${tongue}`;
      await picture({ page }, name);
      await page.setViewportSize({ width: 360, height: 740 });
      await fits({ page }, `${it} (${tongue}, ${of.name})`).catch((error) => troubles.push(error.message));
      await picture({ page }, `${name}-phone`);
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    await context.close();
  }
}

main().then(() => step("done"), (error) => { console.error(error.stack || error); if (troubles.length) console.error(troubles); process.exit(1); });
