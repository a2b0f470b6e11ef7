import type { Json, Resource } from './documents.ts';

/** Decisions made before the migration. */
export interface MigrationChoices {
  /** Identifiers by team title, in place of the derived ones. */
  readonly identifiers?: Readonly<Record<string, string>>;
  /** Whether references that a removed relation would break are rewritten to `$team`. Default true. */
  readonly impliedRewrites?: boolean;
}

export interface TeamAssignment {
  readonly title: string;
  readonly identifier: string;
  /** `kept`: the team's existing identifier. `derived`: it had none, or one that equals another team's title. */
  readonly source: 'kept' | 'derived' | 'chosen';
}

export interface RemovedRelation {
  readonly blueprint: string;
  readonly relation: string;
}

/** An automatic change of the migration. Null stands for a missing value. */
export interface AutomaticChange {
  /** The rule of the specification; `implied` fixes what a rule would break. */
  readonly rule: 1 | 2 | 3 | 4 | 'implied';
  readonly resource: Resource;
  /** JSON pointer into the resource's document. */
  readonly pointer: string;
  readonly before: Json;
  readonly after: Json;
  /** A note for people: number of entities, dropped names. */
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

/** The areas of the reference page on manual changes. */
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
 * `breaks`: the result changes with the migration. `review`: it may change, which only a person can decide. `mentions`:
 * it refers to teams and keeps working.
 */
export type Verdict = 'breaks' | 'review' | 'mentions';

/** A named part of a resource. */
export interface ItemElement {
  readonly kind: 'property' | 'input' | 'widget' | 'rule' | 'query' | 'mapping' | 'filter' | 'step';
  readonly identifier: string;
  readonly title?: string;
}

/** A reference to teams in an item, in the terms of the reference page; `text` is a part of the document. */
export interface TeamReference {
  readonly kind: 'team' | 'user-teams' | 'relation' | 'title' | 'unknown' | 'file' | 'consumer';
  readonly text: string;
  /** The relation, or the title. */
  readonly name?: string;
}

/** A write to one place; without `value` it removes the place. */
export interface DocumentEdit {
  readonly pointer: string;
  readonly value?: Json;
}

export interface Suggestion {
  /** The value at the item's pointer afterwards; null if removed. */
  readonly value: Json;
  readonly explanation: string;
  /** Part of the place still needs a review after the suggestion is written. */
  readonly isPartial?: true;
  /** All writes of the suggestion, including `value` at the item's own pointer. */
  readonly edits: readonly DocumentEdit[];
}

export interface ItemSample {
  /** The entity, user or event of the sample. */
  readonly of: string;
  readonly before: Json;
  readonly after: Json;
}

/** A place that needs a manual change or review. */
export interface ManualItem {
  /** Stable: the same place has the same id in every plan, whatever its value. */
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
  /** `done`: nothing is left. `broken`: it still breaks, or this cannot be determined. `mentions`: the rest works. */
  readonly state: 'done' | 'broken' | 'mentions';
  /** The current finding, unless done. */
  readonly now?: ManualItem;
}
