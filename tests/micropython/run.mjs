// A real MicroPython with a folder as its file system. What it asks of the world goes, one line a question, to
// descriptor 3; the answers come from descriptor 4. See tests/support/micropython.py.
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [folder, ...programs] = process.argv.slice(2);
const HEAP_BYTES = 192 * 1024; // of MicroPython on an RP2040
const [POLLIN, POLLOUT] = [1, 4];

let unread = "";
const chunk = Buffer.alloc(4096);
function ask(question) {
  fs.writeSync(3, question + "\n");
  while (!unread.includes("\n")) {
    const count = fs.readSync(4, chunk);
    if (count === 0) process.exit(0);
    unread += chunk.toString("latin1", 0, count);
  }
  const end = unread.indexOf("\n");
  const answer = unread.slice(0, end);
  unread = unread.slice(end + 1);
  return answer;
}

let said = [];
let heard = [];
let idle = 0;
function call(question) {
  flush();
  idle = 0;
  return ask(question);
}
function flush() {
  if (said.length) ask("say " + Buffer.from(said.splice(0)).toString("hex"));
}
function canRead() {
  flush();
  // Asked again and again, MicroPython is waiting: the simulation may then take its time to answer.
  if (!heard.length) heard = [...Buffer.from(ask(idle++ ? "wait" : "hear"), "hex")];
  if (heard.length) idle = 0;
  return heard.length ? POLLIN : 0;
}
function canWrite() {
  flush();
  return ask("can-say") === "1" ? POLLOUT : 0;
}

const mp = await loadMicroPython({
  heapsize: HEAP_BYTES,
  linebuffer: false,
  stdout: (bytes) => {
    said.push(...bytes);
    if (said.at(-1) === 0x0a) flush();
  },
  stdin: () => heard.shift(),
});
mp.FS.getStream(0).stream_ops.poll = canRead;
mp.FS.getStream(1).stream_ops.poll = canWrite;
mp.registerJsModule("simulated", { call });

function copy(from, to) {
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), to + entry.name];
    if (entry.isDirectory()) {
      mp.FS.mkdirTree(target);
      copy(source, target + "/");
    } else {
      mp.FS.writeFile(target, fs.readFileSync(source));
    }
  }
}
mp.FS.mkdirTree("/lib");
copy(fileURLToPath(new URL("lib", import.meta.url)), "/lib/");
copy(folder, "/");
if (programs[0] === "--repl") {
  const RAW_PASTE = "\x05A\x01";
  mp.runPython("import like_a_board");
  mp.replInit();
  for (;;) {
    let typed = Buffer.from(ask("wait"), "hex").toString("latin1");
    if (typed.includes(RAW_PASTE)) {
      // It needs a standard input that blocks, which this MicroPython has not: "understood, but no".
      typed = typed.replace(RAW_PASTE, "");
      said.push(...Buffer.from("R\0"));
    }
    for (const key of Buffer.from(typed, "latin1")) {
      if (!mp.replProcessChar(key)) continue;
      // Ctrl-D: a board starts anew and stays in raw mode.
      said.push(...Buffer.from("MPY: soft reboot\r\n"));
      mp.replInit();
    }
    flush();
  }
}
try {
  // Between two programs lies the only moment in which this MicroPython collects its garbage.
  for (const program of programs) mp.runPython(new TextDecoder().decode(mp.FS.readFile(program)));
} catch (error) {
  process.stderr.write(String(error.message ?? error) + "\n");
  process.exitCode = 1;
}
flush();
