import type { Json, Resource } from './documents.ts';

/** What people decided before the run. */
export interface MigrationChoices {
  /** Team title → identifier, instead of the derived one. */
  readonly identifiers?: Readonly<Record<string, string>>;
  /** Whether what a removed relation would leave broken follows to `$team`. Default true. */
  readonly impliedRewrites?: boolean;
}

export interface TeamAssignment {
  readonly title: string;
  readonly identifier: string;
  /** `kept`: it had one already. `derived`: it had none, or one that is the title of another team. */
  readonly source: 'kept' | 'derived' | 'chosen';
}

export interface RemovedRelation {
  readonly blueprint: string;
  readonly relation: string;
}

/** One change that the migration makes by itself. Null stands for "is not there". */
export interface AutomaticChange {
  /** The rule of the specification, or `implied`: it keeps in order what a rule would leave broken. */
  readonly rule: 1 | 2 | 3 | 4 | 'implied';
  readonly resource: Resource;
  /** JSON pointer into the resource's document. */
  readonly pointer: string;
  readonly before: Json;
  readonly after: Json;
  /** For people: how many entities, which names were dropped. */
  readonly note?: string;
}

export interface PlanProblem {
  readonly severity: 'blocker' | 'warning';
  readonly code:
    | 'DUPLICATE_TEAM_TITLE'
    | 'SIMILAR_TEAM_TITLES'
    | 'IDENTIFIER_TAKEN'
    | 'TITLE_IS_IDENTIFIER'
    | 'RESERVED_BLUEPRINT'
    | 'UNKNOWN_TEAM'
    | 'INHERITANCE_CYCLE'
    | 'BROKEN_INHERITANCE_PATH'
    | 'INHERITANCE_TARGET_NOT_DIRECT'
    | 'MANY_IN_INHERITANCE_PATH'
    | 'RELATION_CONSTRAINT_LOST'
    | 'PERMISSION_BLOCK_DROPPED';
  readonly message: string;
  readonly resource?: Resource;
  readonly pointer?: string;
}

export interface AutomaticPlan {
  readonly teams: readonly TeamAssignment[];
  readonly removedRelations: readonly RemovedRelation[];
  readonly changes: readonly AutomaticChange[];
  readonly problems: readonly PlanProblem[];
}

/** The rows of the reference on what needs a look by hand. */
export const manualAreas = [
  'calculation',
  'action-input',
  'action-mapping',
  'automation-trigger',
  'webhook-call',
  'api-call',
  'dynamic-permissions',
  'read-policy',
  'integration-mapping',
  'file-mapping',
  'webhook-mapping',
  'widget',
  'page-filter',
  'scorecard',
  'aggregation',
  'mirror',
  'team-format',
  'agent',
  'consumer',
  'external',
] as const;
export type ManualArea = (typeof manualAreas)[number];

/**
 * `breaks`: it gives another result after the migration. `review`: it may, and only a person can tell. `mentions`: it
 * refers to teams and goes on working.
 */
export type Verdict = 'breaks' | 'review' | 'mentions';

/** The part of a resource that people know by a name of its own. */
export interface ItemElement {
  readonly kind: 'property' | 'input' | 'widget' | 'rule' | 'query' | 'mapping' | 'filter' | 'step';
  readonly identifier: string;
  readonly title?: string;
}

/** What in the item refers to teams, in words of the reference; `text` is a part of the document. */
export interface TeamReference {
  readonly kind: 'team' | 'user-teams' | 'relation' | 'title' | 'unknown' | 'file' | 'consumer';
  readonly text: string;
  /** The relation, or the title. */
  readonly name?: string;
}

/** One place to write to. Without `value` what is there is removed. */
export interface DocumentEdit {
  readonly pointer: string;
  readonly value?: Json;
}

export interface Suggestion {
  /** What stands at the item's pointer afterwards; null where it is removed. */
  readonly value: Json;
  readonly explanation: string;
  /** Something of the place stays to be looked at by a person, also once it is written. */
  readonly isPartial?: true;
  /** All writes of the suggestion, `value` at the item's own pointer among them. */
  readonly edits: readonly DocumentEdit[];
}

export interface ItemSample {
  /** The entity, user or event that was taken, for people. */
  readonly of: string;
  readonly before: Json;
  readonly after: Json;
}

/** One place that a person has to look at. */
export interface ManualItem {
  /** The same place has the same id in every run: it does not depend on what is written there. */
  readonly id: string;
  readonly area: ManualArea;
  readonly resource: Resource;
  readonly element?: ItemElement;
  /** JSON pointer into the resource's document; for files, `line:column`. */
  readonly pointer: string;
  readonly expression?: string;
  readonly references: readonly TeamReference[];
  readonly why: string;
  readonly verdict: Verdict;
  readonly before: Json;
  readonly suggestion?: Suggestion;
  readonly sample?: ItemSample;
}

export interface RecheckedItem {
  readonly item: ManualItem;
  /** `done`: nothing of it is left. `broken`: it still breaks, or nobody can tell. `mentions`: what is left works. */
  readonly state: 'done' | 'broken' | 'mentions';
  /** As it is found now, unless it is done. */
  readonly now?: ManualItem;
}
