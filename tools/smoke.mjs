// Does what the README's first screen says, in this clone, with a new data folder and a free port: starts, runs the
// printed curl, refuses a second process on the same folder, stops on SIGTERM. Each step is one check.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopwatch } from './lib/prepare.mjs';
import { root } from './lib/root.mjs';

const readyWithinMs = 120_000;
// the drain, what still comes right after it, and the stop
const stopWithinMs = 17_500;

const dataDir = mkdtempSync(join(tmpdir(), 'portolan-smoke-'));
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
// The model keys of whoever runs this must not decide what is checked.
const { OPENAI_API_KEY: _openai, ANTHROPIC_API_KEY: _anthropic, DATABASE_URL: _database, ...inherited } = process.env;
const environment = { ...inherited, PORT: String(port), HOST: '127.0.0.1', PORTOLAN_DATA_DIR: dataDir };

let passed = 0;
let failed = 0;
let server;
try {
  server = start(environment);
  await check('npm start serves', async () => {
    const seconds = stopwatch();
    await untilReady(server);
    return `${seconds()} s`;
  });
  await check('the process says that it is alive', async () => {
    const answer = await fetch(`${address}/health`);
    if (!answer.ok) throw new Error(`GET /health answered ${answer.status}.`);
  });
  await check('the printed curl streams an answer that ends with done', () => runPrintedCurl(server.output()));
  await check('a second process on the same data folder is refused with a sentence', refuseSecond);
  await check(`SIGTERM ends it within ${stopWithinMs / 1000} s`, () => stop(server));
  await check('a second start serves', secondStart);
} finally {
  if (server) killGroup(server.child);
  rmSync(dataDir, { recursive: true, force: true });
}
process.stdout.write(`smoke: ${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;

async function check(name, body) {
  // What follows a failure would only fail for the same reason.
  if (failed > 0) return;
  try {
    const note = await body();
    passed += 1;
    process.stdout.write(`ok    ${name}${note ? ` (${note})` : ''}\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`FAIL  ${name}: ${error.message}\n--- output of the server\n${server.output()}\n---\n`);
  }
}

function start(env) {
  // A process group of its own, so that the server can be ended even when npm did not pass a signal on.
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  const exited = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  return { child, exited, output: () => text };
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function untilReady({ child }) {
  const deadline = performance.now() + readyWithinMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error('The process ended before it was ready.');
    const isReady = await fetch(`${address}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await pause(100);
  }
  throw new Error(`GET /ready did not answer 200 within ${readyWithinMs / 1000} s.`);
}

/** Takes the commands as they were printed, up to the next empty line, and runs them in a shell, as a reader would. */
async function runPrintedCurl(output) {
  const commands = /^ *((?:\w+=\$\()?curl [\s\S]*?)\n\s*\n/m.exec(output)?.[1];
  if (!commands) throw new Error('No curl command was printed.');
  const answer = await outputOf('bash', ['-c', commands]);
  const events = [...answer.matchAll(/^event: ?(.+)$/gm)].map(([, name]) => name.trim());
  if (events.at(-1) !== 'done') throw new Error(`The last event is ${events.at(-1)}, not done:\n${answer}`);
  if (events.includes('error')) throw new Error(`The stream carries an error:\n${answer}`);
  for (const expected of ['tool_call', 'tool_result', 'execution']) {
    if (!events.includes(expected)) throw new Error(`The stream has no ${expected} event:\n${answer}`);
  }
  return `${events.length} events`;
}

async function refuseSecond() {
  const second = start({ ...environment, PORT: String(await freePort()) });
  const timer = setTimeout(() => killGroup(second.child), 60_000);
  const { code } = await second.exited;
  clearTimeout(timer);
  if (code === 0 || code === null) throw new Error(`The second process ended with ${code}:\n${second.output()}`);
  if (!second.output().includes(dataDir)) throw new Error(`The refusal does not name the folder:\n${second.output()}`);
  if (/^\s+at .+:\d+:\d+\)?$/m.test(second.output())) throw new Error(`A stack was printed:\n${second.output()}`);
}

async function stop({ child, exited }) {
  const seconds = stopwatch();
  child.kill('SIGTERM');
  const isEnded = await Promise.race([exited.then(() => true), pause(stopWithinMs).then(() => false)]);
  if (!isEnded) throw new Error('It is still running.');
  const isServing = await fetch(`${address}/health`).then(
    () => true,
    () => false,
  );
  if (isServing) throw new Error('npm ended but the server goes on.');
  return `${seconds()} s`;
}

/** The time is told and not judged: a busy machine must not fail the check. On an idle one it is below 2 s. */
async function secondStart() {
  const seconds = stopwatch();
  server = start(environment);
  await untilReady(server);
  const note = `${seconds()} s`;
  await stop(server);
  return note;
}

function outputOf(program, parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`${parameters.join(' ')}\n${text}`))));
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const listener = createServer();
    listener.once('error', reject);
    listener.listen(0, '127.0.0.1', () => {
      const { port: free } = listener.address();
      listener.close(() => resolve(free));
    });
  });
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
