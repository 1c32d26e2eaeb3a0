// Writes one of Node's profiles while it works: work.js KIND FILE.
"use strict";
const fs = require("fs");
const pprof = require("@datadog/pprof");

function fibonacci(n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

function sortNumbers(size) {
  const numbers = Array.from({ length: size }, (_, i) => (i * 7919) % size);
  return numbers.sort((a, b) => a - b)[0];
}

const kept = [];
function keepWords(count) {
  const words = [];
  for (let i = 0; i < count; i++) words.push("word".repeat(i % 10) + i);
  kept.push(words);
}

function work(milliseconds) {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    fibonacci(20);
    sortNumbers(2000);
    if (kept.length < 200) keepWords(500);
  }
}

async function main(kind, file) {
  let profile;
  if (kind === "time") {
    pprof.time.start({ intervalMicros: 5000, durationMillis: 1000 });
    work(600);
    profile = pprof.time.stop();
  } else {
    pprof.heap.start(16 * 1024, 32);
    work(300);
    profile = pprof.heap.profile();
  }
  fs.writeFileSync(file, await pprof.encode(profile));
}

main(process.argv[2], process.argv[3]);
