import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { CliError } from '../../cli-error.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';

interface Diagnostic {
  readonly severity: string;
  readonly summary: string;
  readonly detail?: string;
  readonly range?: { readonly filename: string; readonly start: { readonly line: number; readonly column: number } };
}

/** The errors of `terraform validate` per root module, or why it was skipped. */
export interface Validation {
  readonly folder: string;
  readonly errors: readonly string[];
  readonly notAsked?: string;
}

/**
 * Runs `terraform validate` in place in initialized folders, because only those have the providers.
 * @throws CliError `terraform_failed` for any other output than a verdict
 */
export async function validateTerraform(
  root: string,
  folders: readonly string[],
  context: Pick<Context, 'environment'>,
): Promise<Validation[]> {
  const results: Validation[] = [];
  for (const folder of folders) {
    const path = join(root, folder);
    const isInitialized = await exists(join(path, '.terraform'));
    const notAsked = `terraform init was not run in ${named(folder)}.`;
    if (!isInitialized) results.push({ folder, errors: [], notAsked });
    else results.push(await validate(path, folder, context));
  }
  return results;
}

/** The folder's name for messages; the given folder itself is `.`. */
export const named = (folder: string): string => (folder === '.' ? 'this folder' : folder);

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function validate(
  path: string,
  folder: string,
  { environment }: Pick<Context, 'environment'>,
): Promise<Validation> {
  const env = { ...environment, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' };
  const answer = await new Promise<string | undefined>((resolve, reject) => {
    execFile('terraform', ['validate', '-json'], { cwd: path, env, maxBuffer: 2 ** 26 }, (error, out) => {
      if (error?.code === 'ENOENT') resolve(undefined);
      // exit code 1 means validation errors, listed in the output
      else if (error === null || error.code === 1) resolve(out);
      else reject(error);
    });
  });
  if (answer === undefined) return { folder, errors: [], notAsked: 'Terraform is not installed here.' };
  try {
    const { diagnostics } = JSON.parse(answer) as { diagnostics: readonly Diagnostic[] };
    return {
      folder,
      errors: diagnostics.filter(({ severity }) => severity === 'error').map((each) => sayError(folder, each)),
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = `terraform validate in ${folder} did not answer in JSON. Run it there to see why.`;
    throw new CliError(exitCodes.failed, 'terraform_failed', message);
  }
}

function sayError(folder: string, { summary, detail, range }: Diagnostic): string {
  const place =
    range === undefined ? folder : `${posix.join(folder, range.filename)}:${range.start.line}:${range.start.column}`;
  return `${place}: ${[summary, detail].filter(Boolean).join('. ').replaceAll(/\s+/g, ' ')}`;
}
