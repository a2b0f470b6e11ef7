import type { InstallHealth, InstallStep } from '@portolan/contract/installs';
import type { StoredIntegration } from '../../integrations/index.ts';

/** What is known of an install, from what its client did. */
export interface Observed {
  readonly now: Date;
  readonly createdAt: Date;
  readonly resyncMinutes: number;
  /** Undefined once the credentials were revoked. */
  readonly credential: { readonly lastUsedAt: Date | null } | undefined;
  /** Undefined once it was deleted. */
  readonly integration: Pick<StoredIntegration, 'version' | 'resyncState' | 'updatedAt'> | undefined;
}

/** Also what came in; costs more to know than the rest. */
export interface ObservedData extends Observed {
  readonly kinds: readonly string[];
  readonly entities: number;
}

const minuteMs = 60_000;

/** How an install is, from the state of its last resync. */
export function installHealth({ now, createdAt, resyncMinutes, credential, integration }: Observed): InstallHealth {
  if (!credential) return 'credential-revoked';
  if (!integration) return 'failing';
  const state = resyncOf(integration);
  if (state.status === 'failed') return 'failing';
  if (state.status === undefined) return 'waiting';
  if (resyncMinutes === 0 || state.status === 'running') return 'live';
  const sinceMinutes = (now.getTime() - (state.endedAt ?? createdAt).getTime()) / minuteMs;
  if (sinceMinutes > 2 * resyncMinutes) return 'silent';
  return sinceMinutes > 1.5 * resyncMinutes ? 'late' : 'live';
}

/** The way from a command to the first data, step by step. A later step proves the earlier ones. */
export function installSteps(observed: ObservedData): InstallStep[] {
  const { credential, integration, kinds, entities } = observed;
  const { status, startedAt, endedAt } = integration ? resyncOf(integration) : none;
  const hasEnded = status === 'completed' || status === 'failed';
  const hasBegun = hasEnded || status === 'running' || entities > 0;
  const hasRegistered = hasBegun || kinds.length > 0 || (integration?.version ?? null) !== null;
  const lastUsedAt = credential?.lastUsedAt ?? null;
  return [
    step('credential-used', hasRegistered || lastUsedAt !== null, lastUsedAt),
    step('registered', hasRegistered, null, integration?.version ? `Version ${integration.version}` : null),
    step('examples', kinds.length > 0, null, kinds.length > 0 ? kinds.join(', ') : null),
    { ...step('resync', hasBegun, startedAt), ...(status === 'running' ? { state: 'running' as const } : {}) },
    step('first-entity', entities > 0, null, entities > 0 ? `${entities} so far` : null),
    {
      ...step('resync-done', hasEnded, endedAt),
      ...(status === 'failed' ? { state: 'failed' as const, note: 'The log of the integration says why' } : {}),
    },
  ];
}

function step(name: InstallStep['step'], isDone: boolean, at: Date | null, note: string | null = null): InstallStep {
  return { step: name, state: isDone ? 'done' : 'waiting', at: at?.toISOString() ?? null, note };
}

interface Resync {
  readonly status: 'running' | 'completed' | 'failed' | undefined;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

const none: Resync = { status: undefined, startedAt: null, endedAt: null };

/** What clients report differs in case, and some say `aborted`. */
function resyncOf({ resyncState }: Pick<StoredIntegration, 'resyncState'>): Resync {
  if (!resyncState) return none;
  const { status, lastResyncStart, lastResyncEnd } = resyncState;
  return {
    status: statusNamed(typeof status === 'string' ? status.toLowerCase() : undefined),
    startedAt: toDate(lastResyncStart),
    endedAt: toDate(lastResyncEnd),
  };
}

function statusNamed(status: string | undefined): Resync['status'] {
  if (status === undefined) return undefined;
  if (status === 'completed') return 'completed';
  return status === 'failed' || status === 'aborted' ? 'failed' : 'running';
}

function toDate(value: unknown): Date | null {
  const at = new Date(typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at;
}

const patienceMs = 3 * minuteMs;

/** What to look at, most likely first; nothing while there is still time, or once data has come. */
export function hintsFor(observed: ObservedData, publicUrl: string, logLines: readonly string[]): string[] {
  const { now, createdAt, credential, integration, entities } = observed;
  if (!credential) return ['The credentials were revoked: remove the install and install it again'];
  if (!integration) return ['The integration was deleted: remove the install and install it again'];
  const steps = new Map(installSteps(observed).map((each) => [each.step, each.state]));
  if (entities > 0 || steps.get('resync-done') === 'done' || now.getTime() - createdAt.getTime() < patienceMs)
    return [];
  if (steps.get('credential-used') !== 'done') {
    return [
      `The address may not be reachable from where the client runs. Try it there: curl -i ${publicUrl}/ready`,
      'A proxy may stand in between: set HTTPS_PROXY for the client, or let it pass the address',
      'The client id or secret may be wrong: a new secret can be made under Credentials',
    ];
  }
  if (steps.get('resync') === 'done') return [];
  const said = logLines.length > 0 ? [`The client said last: ${logLines.join(' · ')}`] : [];
  return [...said, 'The client has signed in and not begun to read: look at its own log for what it waits for'];
}
