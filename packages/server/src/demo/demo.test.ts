import { describe, expect, it } from 'vitest';
import { findComplaints, identifiersIn, knownIn } from '../../test/demo/check-entity.ts';
import { demoOrganization } from '../../test/demo/organization.ts';
import { visitorsTeam } from './load-demo.ts';

const organization = demoOrganization(new Date('2026-03-02T09:00:00Z'));
const { users, teams, blueprints, systemBlueprints, entities } = organization;

const blueprintPattern = /^(?!\.{1,2}$)[\p{L}0-9@_.+:\\/-]+$/u;
const entityPattern = /^(?!\.{1,2}$)[\p{L}0-9@_.+:\\/=-]+$/u;
const keyPattern = /^[A-Za-z0-9@_=\\-]+$/;

const isKnown = knownIn(organization);
const userIdentifiers = new Set(users.map((one) => one.identifier));
const teamIdentifiers = new Set(teams.map((one) => one.identifier));
const places = new Map(entities.map((one, index) => [`${one.blueprint}/${one.identifier}`, index]));

describe('people and teams', () => {
  it('gives every person and team an identifier of its own', () => {
    expect(users).toHaveLength(14);
    expect(userIdentifiers.size).toBe(14);
    expect(teams).toHaveLength(8);
    expect(teamIdentifiers.size).toBe(8);
    for (const { title } of teams) expect(title).toMatch(/^[^;#/?\s][^;#/?]*[^;#/?\s]$/);
  });

  it('refers only to known teams, managers and parents', () => {
    for (const user of users) {
      expect((user.team ?? []).filter((team) => !teamIdentifiers.has(team))).toEqual([]);
      for (const manager of identifiersIn(user.relations['manager'] ?? null))
        expect(userIdentifiers).toContain(manager);
    }
    expect(teams.filter(({ relations }) => relations['parent'] === 'engineering')).toHaveLength(7);
  });

  it('has a team for whoever looks at it, and that team owns a service', () => {
    const owned = entities.filter(
      ({ blueprint, team }) => blueprint === 'service' && [team].flat().includes(visitorsTeam),
    );
    expect(teamIdentifiers).toContain(visitorsTeam);
    expect(owned).not.toEqual([]);
  });

  it('shows every status, two administrators and one service account', () => {
    const statuses = users.map((one) => one.properties['status']);
    expect(new Set(statuses)).toEqual(new Set(['Staged', 'Invited', 'Active', 'Disabled']));
    for (const rare of ['Staged', 'Invited', 'Disabled'])
      expect(statuses.filter((one) => one === rare)).toHaveLength(1);
    expect(users.filter((one) => one.properties['port_role'] === 'Admin')).toHaveLength(2);
    const [bot, ...others] = users.filter((one) => one.properties['port_type'] === 'Service Account');
    expect(others).toEqual([]);
    expect(bot).toMatchObject({
      properties: { status: 'Active' },
      identifier: expect.stringMatching(/@serviceaccounts\.getport\.io$/),
    });
  });
});

describe('blueprints', () => {
  it('are ten, named by the rules', () => {
    expect(blueprints.map((one) => one.identifier)).toEqual([
      'domain',
      'service',
      'environment',
      'cloudResource',
      'deployment',
      'incident',
      'pullRequest',
      'package',
      'vulnerability',
      'devSandbox',
    ]);
    for (const { identifier, title, description } of blueprints) {
      expect(identifier).toMatch(blueprintPattern);
      expect(title.length).toBeLessThanOrEqual(100);
      expect(description.length).toBeLessThanOrEqual(200);
    }
  });

  it('never use one key for two things', () => {
    for (const blueprint of [...blueprints, ...systemBlueprints]) {
      const keys = [
        blueprint.schema.properties,
        blueprint.relations,
        blueprint.mirrorProperties,
        blueprint.calculationProperties,
        blueprint.aggregationProperties,
      ].flatMap((section) => Object.keys(section));
      expect(new Set(keys).size, blueprint.identifier).toBe(keys.length);
      for (const key of keys) expect(key).toMatch(keyPattern);
    }
  });

  it('require and colour only what exists', () => {
    for (const { schema } of blueprints) {
      for (const key of schema.required) expect(Object.keys(schema.properties)).toContain(key);
      for (const property of Object.values(schema.properties)) {
        expect(Object.keys(property.enumColors ?? {}).sort()).toEqual((property.enum ?? []).map(String).sort());
      }
    }
  });

  it('relate to blueprints that were created before', () => {
    const created = new Set(['_user', '_team']);
    for (const { identifier, relations, ownership } of blueprints) {
      created.add(identifier);
      for (const relation of Object.values(relations)) {
        expect(created).toContain(relation.target);
        expect(relation.many && relation.required).toBe(false);
      }
      if (ownership?.type === 'Inherited') expect(relations[ownership.path]).toMatchObject({ many: false });
    }
  });

  it('roll up along relations that exist', () => {
    const byIdentifier = new Map(blueprints.map((one) => [one.identifier, one]));
    for (const blueprint of [...blueprints, ...systemBlueprints]) {
      for (const aggregation of Object.values(blueprint.aggregationProperties)) {
        const [route] = aggregation.pathFilter ?? [];
        let at = route?.fromBlueprint ?? '';
        expect(at).toBe(aggregation.target);
        for (const hop of route?.path ?? []) {
          at = hop === '$team' ? '_team' : (byIdentifier.get(at)?.relations[hop]?.target ?? `no relation ${hop}`);
        }
        expect(at).toBe(blueprint.identifier);
        const measured = aggregation.calculationSpec['property'] ?? aggregation.calculationSpec['measureTimeBy'];
        if (measured) expect(byIdentifier.get(aggregation.target)?.schema.properties).toHaveProperty(measured);
      }
    }
  });
});

describe('entities', () => {
  it('have identifiers that are valid and unique in their blueprint', () => {
    expect(places.size).toBe(entities.length);
    for (const { identifier } of entities) {
      expect(identifier).toMatch(entityPattern);
      expect(identifier).toBe(identifier.normalize('NFC'));
    }
  });

  it('fit the schema of their blueprint', () => {
    const complaints = entities.flatMap((entity) => {
      const blueprint = blueprints.find((one) => one.identifier === entity.blueprint);
      return blueprint ? findComplaints(entity, blueprint.schema) : [`no blueprint ${entity.blueprint}`];
    });
    expect(complaints).toEqual([]);
  });

  it('relate to entities of the right blueprint that come before them', () => {
    for (const [index, entity] of entities.entries()) {
      const relations = blueprints.find((one) => one.identifier === entity.blueprint)?.relations ?? {};
      for (const [key, value] of Object.entries(entity.relations)) {
        const relation = relations[key];
        expect(relation, `${entity.blueprint}.${key}`).toBeDefined();
        expect(Array.isArray(value), `${entity.identifier} ${key}`).toBe(relation?.many);
        for (const identifier of identifiersIn(value)) {
          expect(isKnown(relation!.target, identifier), `${entity.identifier} ${key} ${identifier}`).toBe(true);
          const isLater = (places.get(`${relation!.target}/${identifier}`) ?? -1) > index;
          if (isLater) expect(relation!.target).toBe(entity.blueprint);
        }
      }
      for (const [key, relation] of Object.entries(relations)) {
        if (relation.required) expect(entity.relations[key], `${entity.identifier} ${key}`).toBeTruthy();
      }
    }
  });

  it('belong to known teams, and only where the team is written directly', () => {
    for (const { blueprint, team, identifier } of entities) {
      const ownership = blueprints.find((one) => one.identifier === blueprint)?.ownership;
      expect(team !== undefined, identifier).toBe(ownership?.type === 'Direct');
      for (const one of team ?? []) expect(teamIdentifiers).toContain(one);
    }
  });

  it('name known people as on call', () => {
    for (const { properties } of entities) {
      if (typeof properties['onCall'] === 'string') expect(userIdentifiers).toContain(properties['onCall']);
    }
  });

  it('name the author of every pull request but one', () => {
    const authors = entities.filter((one) => one.blueprint === 'pullRequest').map((one) => one.relations['author']);
    expect(authors.filter((author) => author === null)).toHaveLength(1);
  });

  it('run the version that was deployed last, in production if there is one', () => {
    const deployed = entities.filter((one) => one.blueprint === 'deployment' && one.properties['status'] === 'success');
    for (const service of entities.filter((one) => one.blueprint === 'service')) {
      const own = deployed.filter((one) => one.relations['service'] === service.identifier);
      const live = own.find((one) => String(one.relations['environment']).startsWith('prod')) ?? own[0];
      if (live) expect(service.properties['version'], service.identifier).toBe(live.properties['version']);
    }
  });
});
