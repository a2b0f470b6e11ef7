import type { AuditResource } from '@portolan/contract/audit';
import type { AnswerOf } from '../../api/api.ts';
import { type Difference, listDifferences } from '../../kit/differences.ts';
import { t } from '../../kit/translate.ts';

export type AuditRecord = AnswerOf<'getAuditLog'>['audits'][number];

/** How people call what records name. Each falls back to the identifier. */
export interface AuditNames {
  person(email: string): string;
  program(id: string): string;
  blueprint(identifier: string): string;
  property(blueprint: string, key: string): string;
}

/** A record as a sentence: who did what to which thing, and how. */
export interface AuditSentence {
  readonly who: string;
  /** `created`, `changed`, … or `was refused creating`. */
  readonly did: string;
  /** The kind of thing, in words; empty if the thing says it. */
  readonly kind: string;
  readonly thing: string;
  /** The entity, if it is one and can be visited. */
  readonly entity?: { readonly blueprint: string; readonly identifier: string } | undefined;
  /** What changed, or what else is to say. */
  readonly detail: string;
}

/** A record, so that a new kind in the contract is a type error here. */
export const kindWords: Readonly<Record<AuditResource, string>> = {
  blueprint: 'blueprint',
  entity: 'entity',
  run: 'run',
  webhook: 'webhook',
  scorecard: 'scorecard',
  action: 'action',
  integration: 'integration',
  organization: 'organization',
  credential: 'credentials',
  page: 'page',
  secret: 'secret',
  token: 'API token',
  user: 'user',
  team: 'team',
  session: 'session',
  'sso-connection': 'single sign-on',
  migration: 'migration',
  'mcp-server': 'MCP server',
  'llm-provider': 'model provider',
  source: 'source',
  import: 'import',
  pack: 'starter model',
  checklist: 'first steps',
  campaign: 'campaign',
  exemption: 'exemption',
  conversation: 'conversation',
  workflow: 'workflow',
  workflowRun: 'run of a workflow',
  workflowProposal: 'proposed workflow',
};

const verbs: Readonly<Record<string, { readonly did: string; readonly doing: string }>> = {
  CREATE: { did: 'created', doing: 'creating' },
  UPDATE: { did: 'changed', doing: 'changing' },
  DELETE: { did: 'deleted', doing: 'deleting' },
  TIMER_EXPIRED: { did: t('ended a timer of'), doing: t('ending a timer of') },
  OTHER: { did: t('did something with'), doing: t('doing something with') },
};

export function describeAudit(record: AuditRecord, names: AuditNames): AuditSentence {
  const { action = '', status, context = {}, message } = record;
  const { did, doing } = verbs[action] ?? { did: action, doing: action };
  const isRefused = status === 'FAILURE';
  const note = message ? sentenceEnd(message) : '';
  if (record.resourceType === 'session' && !isRefused) {
    const isBegun = action === 'CREATE';
    return {
      who: actorName(record, names),
      did: isBegun ? t('signed in') : 'signed out',
      kind: '',
      thing: '',
      detail: '',
    };
  }
  const common = {
    who: actorName(record, names),
    did: isRefused ? t('was refused {doing}', { doing }) : did,
    ...subject(record, names),
  };
  if (isRefused) return { ...common, detail: note };
  // what is none of the usual verbs says itself what it was
  if (action === 'OTHER' && note) return { ...common, did: t('acted on'), detail: note };
  const changes = action === 'UPDATE' ? describeChanges(record, context['blueprint'], names) : '';
  return { ...common, detail: changes || note };
}

/** Who acted, by name. */
export function actorName({ trigger }: AuditRecord, names: AuditNames): string {
  const by = trigger?.by;
  if (by?.user?.email) return names.person(by.user.email);
  if (by?.byPort) return 'Portolan';
  return by?.userId ? names.program(by.userId) : t('Somebody');
}

const origins: Readonly<Record<string, string>> = {
  UI: t('Portal'),
  API: 'API',
  MCP: 'MCP',
  AI: t('Assistant'),
  AUTOMATION: t('Automation'),
  MIGRATION: t('Migration'),
  SYSTEM: 'Portolan',
};

/** The way it came: a word, or the name of the integration that wrote. */
export function originName(origin: string | undefined): string {
  if (!origin) return '';
  return origins[origin] ?? origin.split('/').slice(0, 2).join(' ');
}

function subject(record: AuditRecord, names: AuditNames): Pick<AuditSentence, 'kind' | 'thing' | 'entity'> {
  const { resourceType = '', context = {}, diff, action } = record;
  const kind = kindWords[resourceType as AuditResource] ?? resourceType;
  const { blueprint, entity } = context;
  const title = titleIn(diff?.after) ?? titleIn(diff?.before);
  if (resourceType === 'entity' && blueprint && entity) {
    const isThere = action !== 'DELETE' && record.status !== 'FAILURE';
    return {
      kind: names.blueprint(blueprint),
      thing: title ?? entity,
      ...(isThere ? { entity: { blueprint, identifier: entity } } : {}),
    };
  }
  if (resourceType === 'blueprint' && blueprint) return { kind, thing: title ?? names.blueprint(blueprint) };
  if (resourceType === 'user' && context['user']) return { kind, thing: names.person(context['user']) };
  if (resourceType === 'run') return { kind: 'run of', thing: context['action'] ?? context['runId'] ?? '' };
  if (resourceType === 'organization' || resourceType === 'checklist') return { kind: `the ${kind}`, thing: '' };
  return { kind, thing: title ?? context[resourceType] ?? Object.values(context).join(' / ') };
}

/** Values told in a sentence; more are counted. */
const namedMax = 3;
const unsaid: ReadonlySet<string> = new Set(['updatedAt', 'updatedBy', 'version', 'createdAt', 'createdBy']);

function describeChanges({ diff }: AuditRecord, blueprint: string | undefined, names: AuditNames): string {
  const changes = listDifferences(diff?.before, diff?.after).filter(({ path }) => !unsaid.has(path));
  const [only] = changes;
  if (!only) return '';
  if (changes.length === 1) {
    const { before, after } = only;
    const name = nameOfPath(only, blueprint, names);
    if (isShort(before) && isShort(after)) return `${name}: ${shortText(before)} → ${shortText(after)}`;
    return name;
  }
  const named = changes.slice(0, namedMax).map((change) => nameOfPath(change, blueprint, names));
  const more = changes.length - named.length;
  return more > 0 ? t('{named} and {more} more', { named: named.join(', '), more }) : named.join(', ');
}

function nameOfPath({ path }: Difference, blueprint: string | undefined, names: AuditNames): string {
  const [part, key, ...rest] = path.split('.');
  if ((part === 'properties' || part === 'relations') && key && rest.length === 0 && blueprint)
    return names.property(blueprint, key);
  return path || t('all of it');
}

const shortMax = 60;

function isShort(value: unknown): boolean {
  return typeof value !== 'object' || value === null ? String(value).length <= shortMax : false;
}

function shortText(value: unknown): string {
  return value === undefined || value === null || value === '' ? 'nothing' : String(value);
}

function titleIn(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { title } = state as { readonly title?: unknown };
  return typeof title === 'string' && title ? title : undefined;
}

function sentenceEnd(text: string): string {
  return text.replace(/\.$/, '');
}
