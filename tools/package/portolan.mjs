#!/usr/bin/env node
// The command of the installed package. On a terminal and with no command named, it starts the server.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Portolan needs Node 20.19 or newer; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
if (process.argv.length === 2 && process.stdin.isTTY && process.stdout.isTTY) process.argv.push('start');
await import('../packages/cli/dist/main.js');
