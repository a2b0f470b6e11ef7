import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Actor, systemActor } from '../../platform/actor.ts';
import {
  authorise,
  can,
  canOn,
  canUpdatePart,
  canUpdateSome,
  type EntityRights,
  type EntityVerb,
  effectivePolicy,
  type Grant,
  type GrantName,
  grantScope,
  grantsBehind,
  isNamedIn,
  listPolicyGrants,
  type ProtectedBlueprint,
  type Subject,
  storedGrants,
} from './rights.ts';

const verbs: readonly EntityVerb[] = ['read', 'register', 'update', 'unregister'];
const keys = ['tier', 'owner'];
const teams = ['red', 'blue', 'green'];
const policy = { combinator: 'and', rules: [] };

const grant: fc.Arbitrary<Grant> = fc.record(
  {
    roles: fc.subarray(['Admin', 'Member', 'service-moderator', 'Service-Moderator', 'other-moderator', 'member']),
    users: fc.subarray(['pat', 'sam']),
    teams: fc.subarray([...teams, '?gone']),
    ownedByTeam: fc.boolean(),
    policy: fc.constant(policy),
  },
  { requiredKeys: [] },
);
const parts = fc.dictionary(fc.constantFrom(...keys), grant, { noNullPrototype: true });
const rights: fc.Arbitrary<EntityRights | null> = fc.option(
  fc.record(
    {
      read: grant,
      register: grant,
      update: grant,
      unregister: grant,
      updateProperties: parts,
      updateRelations: parts,
    },
    { requiredKeys: [] },
  ),
  { freq: 8 },
);
const actor: fc.Arbitrary<Actor> = fc
  .record({
    roles: fc.subarray(['Member', 'service-moderator', 'SERVICE-moderator', 'MEMBER']),
    isAdmin: fc.integer({ min: 0, max: 9 }).map((each) => each === 0),
    teamKeys: fc.subarray(teams),
    userId: fc.option(fc.constantFrom('pat', 'sam'), { nil: undefined }),
  })
  .map(({ roles, isAdmin, teamKeys, userId }) => ({
    ...systemActor('org-1'),
    roles: isAdmin ? [...roles, 'Admin'] : roles,
    teamKeys,
    ...(userId && { userId }),
  }));
const partNames = keys.flatMap((key) => [`updateProperties.${key}`, `updateRelations.${key}`] as const);
const names: readonly GrantName[] = [...verbs, ...partNames];
const subject: fc.Arbitrary<Subject> = fc.record(
  { teamRefs: fc.subarray(teams), met: fc.subarray([...names]).map((each) => new Set(each)) },
  { requiredKeys: ['teamRefs'] },
);
const protectedBy = (stored: EntityRights | null): ProtectedBlueprint => ({ identifier: 'service', rights: stored });

/** The rules of users-and-teams §5.2 for one grant, written out. */
function isAllowed(who: Actor, name: GrantName, given: Grant, { teamRefs, met }: Subject): boolean {
  const isModerator = (role: string): boolean => /-moderator$/i.test(role);
  for (const role of given.roles ?? [])
    for (const own of who.roles)
      if (role === own || (isModerator(role) && role.toLowerCase() === own.toLowerCase())) return true;
  for (const team of who.teamKeys) {
    if (given.teams?.includes(team)) return true;
    if (given.ownedByTeam && teamRefs.includes(team)) return true;
  }
  if (given.users?.some((user) => user === who.userId)) return true;
  return given.policy !== undefined && !given.ownedByTeam && (met?.has(name) ?? false);
}

/** What is in force for a name: what is stored, else administrators and moderators, and members for reading. */
function inForce(stored: EntityRights | null, name: GrantName): Grant {
  const [place, key] = name.split('.') as [EntityVerb, string?];
  const found = key ? stored?.[place as 'read' & keyof EntityRights]?.[key as never] : stored?.[place];
  const usual = ['Admin', 'service-moderator', ...(name === 'read' ? ['Member'] : [])];
  return (found as Grant | undefined) ?? { roles: usual };
}

const storedParts = (stored: EntityRights | null): GrantName[] =>
  partNames.filter((name) => {
    const [place, key] = name.split('.') as ['updateProperties' | 'updateRelations', string];
    return stored?.[place]?.[key] !== undefined;
  });

function oracle(who: Actor, stored: EntityRights | null, asked: readonly GrantName[], about: Subject): boolean {
  if (who.roles.includes('Admin')) return true;
  return asked.some((name) => isAllowed(who, name, inForce(stored, name), about));
}

const behind = (verb: EntityVerb, stored: EntityRights | null): GrantName[] =>
  verb === 'read' ? [...verbs, ...storedParts(stored)] : [verb];

/** The entity on which somebody may most: of all teams, and meeting every policy. */
const most: Subject = { teamRefs: teams, met: new Set(names) };

const check = <Values>(property: fc.IProperty<Values>) => fc.assert(property, { numRuns: 400, seed: 15 });

describe('a right', () => {
  test('on one entity is what the rules say, for any grants and any caller', () => {
    check(
      fc.property(actor, rights, subject, (who, stored, about) => {
        for (const verb of verbs)
          expect(canOn(who, verb, protectedBy(stored), about)).toBe(oracle(who, stored, behind(verb, stored), about));
        for (const name of partNames) {
          const [part, key] = name.split('.') as ['updateProperties' | 'updateRelations', string];
          const expected = oracle(who, stored, ['update', name], about);
          expect(canUpdatePart(who, protectedBy(stored), part, key, about)).toBe(expected);
        }
      }),
    );
  });

  test('on some entity is the right on the one where most may be done', () => {
    check(
      fc.property(actor, rights, (who, stored) => {
        const blueprint = protectedBy(stored);
        for (const verb of verbs)
          expect(can(who, verb, blueprint)).toBe(oracle(who, stored, behind(verb, stored), most));
        const some = oracle(who, stored, ['update', ...storedParts(stored)], most);
        expect(canUpdateSome(who, blueprint)).toBe(some);
      }),
    );
  });

  test('reaches all entities exactly where it needs nothing of them, and names what else decides', () => {
    check(
      fc.property(actor, rights, subject, (who, stored, about) => {
        for (const verb of verbs) {
          const reach = grantScope(who, verb, protectedBy(stored));
          const asked = behind(verb, stored);
          const isAll = oracle(who, stored, asked, { teamRefs: [] });
          expect(reach.isAll).toBe(isAll);
          if (isAll) return;
          const isOwner = reach.isOwned && about.teamRefs.some((team) => who.teamKeys.includes(team));
          const isMet = reach.policies.some(({ name }) => about.met?.has(name));
          expect(isOwner || isMet).toBe(oracle(who, stored, asked, about));
          expect(reach.isOwned && who.teamKeys.length === 0).toBe(false);
        }
      }),
    );
  });

  test('by name alone looks at no entity and no policy', () => {
    check(
      fc.property(actor, grant, (who, given) => {
        const { ownedByTeam: _owned, policy: _policy, ...named } = given;
        expect(isNamedIn(who, given)).toBe(isAllowed(who, 'read', named, { teamRefs: [] }));
      }),
    );
  });
});

test('who moderates reads by default, also where others were given the writing', () => {
  const moderator: Actor = { ...systemActor('org-1'), roles: ['Service-Moderator'] };
  const stored = { register: {}, update: {}, unregister: {} };
  expect(can(moderator, 'read', protectedBy(stored))).toBe(true);
  expect(can(moderator, 'read', protectedBy({ ...stored, read: {} }))).toBe(false);
  expect(can(moderator, 'update', protectedBy(null))).toBe(true);
});

describe('the grants', () => {
  test('that were written are all verbs and the parts that have one; none where nothing was written', () => {
    const stored = { read: { users: ['pat'] }, updateRelations: { owner: { policy } } };
    expect(storedGrants(protectedBy(stored)).map(({ name }) => name)).toEqual([...verbs, 'updateRelations.owner']);
    expect(storedGrants(protectedBy(null))).toEqual([]);
  });

  test('with a policy in force are those that do not go by owning teams', () => {
    const stored = {
      update: { policy },
      unregister: { policy, ownedByTeam: true },
      updateProperties: { tier: { policy, ownedByTeam: false } },
    };
    expect(listPolicyGrants(protectedBy(stored)).map(({ name }) => name)).toEqual(['update', 'updateProperties.tier']);
    expect([effectivePolicy({ policy }), effectivePolicy({ policy, ownedByTeam: true }), effectivePolicy({})]).toEqual([
      policy,
      undefined,
      undefined,
    ]);
  });

  test('of reading begin with the one that is about reading', () => {
    const names = grantsBehind('read', protectedBy({ updateProperties: { tier: {} } })).map(({ name }) => name);
    expect(names).toEqual(['read', 'register', 'update', 'unregister', 'updateProperties.tier']);
    expect(grantsBehind('update', protectedBy(null)).map(({ name }) => name)).toEqual(['update']);
  });
});

describe('a refusal', () => {
  const nobody: Actor = { ...systemActor('org-1'), roles: [] };
  const member: Actor = { ...nobody, roles: ['Member'] };

  test('tells of a blueprint only to who may read of it', () => {
    const blueprint = protectedBy(null);
    expect(() => authorise(nobody, 'update', blueprint)).toThrow(
      expect.objectContaining({ code: 'not_found', message: expect.stringContaining('service') }),
    );
    expect(() => authorise(member, 'update', blueprint)).toThrow(
      expect.objectContaining({
        code: 'missing_permissions',
        message: 'You may not update entities of the blueprint "service"',
      }),
    );
    expect(() => authorise(member, 'read', blueprint)).not.toThrow();
  });
});
