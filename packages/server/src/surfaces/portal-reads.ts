import { type Actor, isAdmin } from '../platform/actor.ts';

/** A call of an operation that only reads, as the portal makes it. */
export interface PortalRead {
  readonly operation: string;
  readonly input: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
  };
}

const read = (operation: string, input: PortalRead['input'] = {}): PortalRead => ({ operation, input });

/** What the frame reads around every screen: the side bar, the user's own pages and favorites, the counts of the inbox and of notices. */
export function frameReads(actor: Actor): PortalRead[] {
  return [
    read('getSidebar'),
    read('listPages', { query: { compact: true } }),
    read('listRuns', { query: { version: 'v2', limit: 50, decidable: true } }),
    read('listWorkflowRuns', { query: { waiting_for_me: true, limit: 50 } }),
    ...(actor.kind === 'person'
      ? [
          read('getFavorites'),
          read('listNotices', { query: { limit: 20 } }),
          read('listRuns', { query: { version: 'v2', limit: 20, user_email: actor.id } }),
        ]
      : []),
  ];
}

/** What the screen at a path reads first. */
export function screenReads(path: string, actor: Actor): PortalRead[] {
  const [area, first, second] = segmentsOf(path);
  if (area === undefined) {
    return [
      ...(isAdmin(actor) ? [read('getChecklist')] : []),
      readPage('$home'),
      readPagePermissions('$home'),
      ...(actor.teamKeys.length > 0 ? [read('listOwnCampaigns')] : []),
    ];
  }
  if (area === 'catalog' && first) return [readPage(first), readPagePermissions(first)];
  if (area === 'e' && first && second) {
    return [
      read('getEntity', { params: { blueprint_identifier: first, entity_identifier: second } }),
      read('listActions', {
        query: {
          blueprint_identifier: first,
          trigger_type: 'self-service',
          operation: ['DAY-2', 'DELETE'],
          published: 'true',
        },
      }),
      read('listSelfServiceTriggers'),
      ...blueprintReads(first, second),
      ...namesReads,
      // the page that holds the layout
      readPage(`${first}Entity`),
      readPagePermissions(`${first}Entity`),
    ];
  }
  return [];
}

const blueprintsMax = 4;
const agentsMax = 2;

/** What the widgets of a page read before they can ask for rows and figures. */
export function pageReads(answer: unknown, actor: Actor): PortalRead[] {
  const [blueprints, types, agents] = [new Set<string>(), new Set<string>(), new Set<string>()];
  collect(answer, { blueprint: blueprints, type: types, agentIdentifier: agents });
  const reads = [...blueprints].slice(0, blueprintsMax).flatMap((each) => blueprintReads(each));
  if (blueprints.size > 0) reads.push(...namesReads);
  for (const agent of [...agents].slice(0, agentsMax)) {
    reads.push(read('getEntity', { params: { blueprint_identifier: '_ai_agent', entity_identifier: agent } }));
  }
  if (types.has('action-card-widget') || types.has('recently-used-actions')) {
    reads.push(read('listActions', { query: { trigger_type: 'self-service' } }));
  }
  if (types.has('workflow-card-widget')) reads.push(read('listSelfServiceTriggers'));
  if (types.has('recently-used-actions') && actor.kind === 'person') {
    reads.push(read('listRuns', { query: { user_email: actor.id, limit: 50, version: 'v2' } }));
  }
  return reads;
}

/** Names of teams and types, which tables and facts show instead of identifiers. */
const namesReads: readonly PortalRead[] = [
  read('listBlueprints'),
  read('getOwnOrganization'),
  read('listTeams', { query: { fields: ['name', 'identifier'] } }),
];

function blueprintReads(blueprint: string, entity?: string): PortalRead[] {
  const input = { params: { blueprint_identifier: blueprint } };
  return [
    read('getBlueprint', input),
    read('listScorecards', input),
    read('getOwnRights', { ...input, query: entity === undefined ? {} : { entity } }),
  ];
}

function readPage(identifier: string): PortalRead {
  return read('getPage', { params: { page_identifier: identifier } });
}

function readPagePermissions(identifier: string): PortalRead {
  return read('getPagePermissions', { params: { page_identifier: identifier } });
}

function segmentsOf(path: string): string[] {
  try {
    return path.split('?', 1)[0]?.split('/').filter(Boolean).map(decodeURIComponent) ?? [];
  } catch {
    return ['unreadable'];
  }
}

/** The texts of these names, wherever they stand in an answer. */
function collect(value: unknown, found: Readonly<Record<string, Set<string>>>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && Object.hasOwn(found, name)) found[name]?.add(inner);
    collect(inner, found);
  }
}
