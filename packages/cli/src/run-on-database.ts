import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CliError } from './cli-error.ts';
import type { DatabaseProgram } from './context.ts';
import { exitCodes } from './exit-codes.ts';

/**
 * Runs one of the server's programs for databases. It is a process of its own: this package speaks to
 * servers over their API alone and brings no database.
 * @throws CliError where the server is not installed beside the command line
 */
export async function runOnDatabase(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  name: DatabaseProgram = 'backup',
): Promise<number> {
  // built beside the built, source beside the source
  const place = import.meta.url.endsWith('.ts') ? `../../server/src/${name}.ts` : `../../server/dist/${name}.js`;
  const program = fileURLToPath(new URL(place, import.meta.url));
  if (!existsSync(program)) {
    const message =
      'This needs the server, which is not installed beside this command line. Run it where the server runs.';
    throw new CliError(exitCodes.failed, 'server_missing', message);
  }
  const child = spawn(process.execPath, [...process.execArgv, program, ...given], {
    env: environment,
    stdio: 'inherit',
  });
  // Ctrl-C reaches both; this one waits for what the other leaves in order
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? exitCodes.interrupted;
  } finally {
    process.off('SIGINT', ignore);
  }
}
