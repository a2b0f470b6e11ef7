import type { EntityInfo } from './catalog.ts';
import type { Field } from './schema.ts';
import type { DateSpan } from './time.ts';

/** Words of a question that name an entity; the look-up decides which. */
export interface NameRef {
  readonly text: string;
  /** Types that it may be of; any if absent. */
  readonly types?: readonly string[] | undefined;
  /** Stands alone before a type, as an adjective would: if nothing is called so, it was a word and no name. */
  readonly isBare?: boolean | undefined;
  /** The entity that it was found to mean. */
  readonly entity?: EntityInfo | undefined;
}

/** A relation read in one direction: from what is sought to the entity (`forth`), or from the entity to it. */
export interface Step {
  readonly relation: string;
  readonly title: string;
  readonly way: 'forth' | 'back';
}

export type Comparison = '=' | '!=' | '>' | '<' | '>=' | '<=' | 'in' | 'containsAny';

/** A condition on what is sought. */
export type Condition =
  | {
      readonly kind: 'value';
      readonly field: Field;
      readonly op: Comparison;
      readonly value: string | number | boolean | readonly (string | number)[];
    }
  | { readonly kind: 'person'; readonly field: Field; readonly name: NameRef }
  | { readonly kind: 'empty'; readonly field: Field | 'owner'; readonly isEmpty: boolean }
  | { readonly kind: 'window'; readonly field: Field; readonly span: DateSpan }
  | { readonly kind: 'owned'; readonly team: NameRef | 'caller' }
  /** Linked somehow: which relation is meant follows from the type of the entity. */
  | { readonly kind: 'linked'; readonly name: NameRef }
  | { readonly kind: 'step'; readonly step: Step; readonly name: NameRef; readonly isClosure: boolean }
  | {
      readonly kind: 'level';
      readonly scorecard: string;
      readonly title: string;
      readonly levels: readonly string[];
      readonly words: string;
    }
  | {
      readonly kind: 'rule';
      readonly scorecard: string;
      readonly rule: string;
      readonly title: string;
      readonly passes: boolean;
    }
  /** Among these, which an earlier answer named. */
  | { readonly kind: 'given'; readonly identifiers: readonly string[] }
  | { readonly kind: 'has'; readonly isEmpty: boolean; readonly counted: Counted };

/** Entities counted for each of what is sought: those that point at it, or those it points at. */
export interface Counted {
  readonly type: string;
  readonly step: Step | 'owner';
  readonly where: readonly Condition[];
}

export type Grouping =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'owner' }
  | { readonly kind: 'level'; readonly scorecard: string; readonly title: string };

export type Figure = 'sum' | 'average' | 'min' | 'max' | 'median';

/** What a question asks, before its names are looked up. */
export type Query =
  | { readonly ask: 'list' | 'count' | 'exists'; readonly of: string; readonly where: readonly Condition[] }
  | {
      readonly ask: 'top';
      readonly of: string;
      readonly where: readonly Condition[];
      readonly by: Field | Counted;
      readonly order: 'asc' | 'desc';
      readonly limit: number;
      /** Answers with the moment alone. */
      readonly isMoment?: boolean;
    }
  | { readonly ask: 'group'; readonly of: string; readonly where: readonly Condition[]; readonly by: Grouping }
  | {
      readonly ask: 'figure';
      readonly of: string;
      readonly where: readonly Condition[];
      readonly func: Figure;
      readonly field: Field;
    }
  | { readonly ask: 'owner'; readonly name: NameRef }
  | { readonly ask: 'teams'; readonly name: NameRef }
  | { readonly ask: 'field'; readonly name: NameRef; readonly field: Field }
  | { readonly ask: 'level'; readonly name: NameRef; readonly scorecard: string; readonly title: string }
  | { readonly ask: 'get'; readonly name: NameRef }
  | { readonly ask: 'type'; readonly of: string }
  | { readonly ask: 'compare'; readonly names: readonly [NameRef, NameRef]; readonly field?: Field | undefined }
  | {
      readonly ask: 'linked';
      readonly name: NameRef;
      readonly steps: readonly TypedStep[];
      readonly isClosure: boolean;
    };

/** A step together with the type of what is sought at its start. */
export interface TypedStep {
  readonly type: string;
  readonly step: Step;
}

/** One way to understand a whole question; `cost` grows with what had to be assumed. */
export interface Reading {
  readonly query: Query;
  readonly cost: number;
}

/** The names in a reading. */
export function namesIn(query: Query): NameRef[] {
  const ofConditions = (where: readonly Condition[]): NameRef[] =>
    where.flatMap((condition): NameRef[] => {
      switch (condition.kind) {
        case 'person':
        case 'linked':
        case 'step':
          return [condition.name];
        case 'owned':
          return condition.team === 'caller' ? [] : [condition.team];
        case 'has':
          return ofConditions(condition.counted.where);
        default:
          return [];
      }
    });
  switch (query.ask) {
    case 'top':
      return [...ofConditions(query.where), ...('where' in query.by ? ofConditions(query.by.where) : [])];
    case 'list':
    case 'count':
    case 'exists':
    case 'group':
    case 'figure':
      return ofConditions(query.where);
    case 'compare':
      return [...query.names];
    case 'type':
      return [];
    default:
      return [query.name];
  }
}
