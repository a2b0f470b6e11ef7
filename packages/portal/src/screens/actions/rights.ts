import type { AnswerOf } from '../../api/api.ts';

export type Rights = AnswerOf<'getActionPermissions'>['permissions'];
export type Verb = keyof Rights & ('execute' | 'approve');
export type Grant = Rights['approve'];
export type Policy = NonNullable<Grant['policy']>;

/** Default permissions of a new action: everyone runs it, administrators approve. */
export const freshRights: Rights = {
  execute: { roles: ['Admin', 'Member'], users: [], teams: [], policy: null, ownedByTeam: false },
  approve: { roles: ['Admin'], users: [], teams: [], policy: null },
};

/** The PATCH body that turns one into the other; undefined if equal. */
export function rightsChange(before: Rights, after: Rights): Partial<Rights> | undefined {
  const changed = (['execute', 'approve'] as const).filter(
    (verb) => JSON.stringify(before[verb]) !== JSON.stringify(after[verb]),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((verb) => [verb, after[verb]]));
}

/** Starting point for a policy: every user of the organization may run it, and administrators approve. */
export const freshPolicies: Readonly<Record<Verb, Policy>> = {
  execute: {
    queries: {
      me: {
        combinator: 'and',
        rules: [
          { property: '$blueprint', operator: '=', value: '_user' },
          { property: '$identifier', operator: '=', value: '{{ .trigger.user.email }}' },
        ],
      },
    },
    conditions: ['.results.me.entities | length > 0'],
  },
  approve: {
    queries: {
      people: {
        combinator: 'and',
        rules: [
          { property: '$blueprint', operator: '=', value: '_user' },
          { property: 'port_role', operator: '=', value: 'Admin' },
        ],
      },
    },
    conditions: ['[.results.people.entities[].identifier]'],
  },
};
