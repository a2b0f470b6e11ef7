import { type Actor, openedFor } from '../../../platform/actor.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { findRun } from './run.store.ts';

type Deps = Pick<ActionsDeps, 'database' | 'secrets'>;

/** Secrets that backends use without a template that names them. */
const implied: Readonly<Record<string, RegExp>> = {
  GITHUB: /^GITHUB_/,
  GITLAB: /^GITLAB_|_/,
  AZURE_DEVOPS: /^AZURE_DEVOPS_/,
};

/** Opens the secrets of a run's action for masking again: its executor knows them and may repeat them in reports. */
export async function withSecretsOfRun(deps: Deps, actor: Actor, id: string): Promise<Actor> {
  const run = await findRun(deps.database, actor.orgId, id);
  if (!run) return actor;
  const { invocationMethod } = run.action.definition;
  const written = JSON.stringify(invocationMethod);
  const used = implied[invocationMethod.type];
  if (!used && !written.includes('secrets')) return actor;
  const opened = openedFor(actor);
  const secrets = await deps.secrets.secretsOf(actor.orgId, opened);
  for (const name of Object.keys(secrets)) {
    // reading a value opens it
    if (used?.test(name) || written.includes(name)) void secrets[name];
  }
  return { ...actor, opened };
}
