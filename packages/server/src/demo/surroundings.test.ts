import { describe, expect, it } from 'vitest';
import { findComplaints, identifiersIn, knownIn, specified } from '../../test/demo/check-entity.ts';
import { demoOrganization } from '../../test/demo/organization.ts';

const now = new Date('2026-03-02T09:00:00Z');
const organization = demoOrganization(now);
const { teams, blueprints, agents, invocations } = organization;

const actionPattern = /^(?!\.{1,2}$)[\p{L}0-9@_.+:=-]+$/u;

const isKnown = knownIn(organization);
const teamIdentifiers = new Set(teams.map((one) => one.identifier));

describe('moments', () => {
  const awkward = ['2026-03-02T09:00:00Z', '2026-01-01T00:00:00Z', '2028-02-29T23:59:59.999Z', '2026-10-25T00:00:01Z'];

  it.each(awkward)('are not in the future of %s, timers aside', (text) => {
    const loaded = demoOrganization(new Date(text));
    const dates = [...loaded.entities, ...loaded.invocations].flatMap(({ blueprint, properties }) => {
      const body = loaded.blueprints.find((one) => one.identifier === blueprint) ?? specified[blueprint];
      const schema = body && 'schema' in body ? body.schema : body;
      return Object.entries(properties).filter(([key]) => schema?.properties[key]?.format === 'date-time');
    });
    const moments = dates
      .map(([, value]) => value)
      .filter((value) => typeof value === 'string')
      .map((value) => Date.parse(value));
    expect(moments.length).toBeGreaterThan(100);
    for (const moment of moments) expect(moment).toBeLessThanOrEqual(Date.parse(text));
  });

  it.each(awkward)('put deployments into the same age buckets at %s', (text) => {
    const at = Date.parse(text);
    const ages = demoOrganization(new Date(text))
      .entities.filter((one) => one.blueprint === 'deployment')
      .map((one) => at - Date.parse(String(one.properties['deployedAt'])));
    const within = (days: number) => ages.filter((age) => age <= days * 86_400_000).length;
    expect([within(7), within(30), within(90), within(100)]).toEqual([15, 29, 34, 36]);
    expect(ages).toEqual(ages.toSorted((left, right) => left - right));
  });

  it('are the same for the same now', () => {
    expect(demoOrganization(new Date(now))).toEqual(organization);
  });
});

describe('agents and invocations', () => {
  it('have exactly the properties and relations of the specification', () => {
    for (const entity of [...agents, ...invocations]) {
      const blueprint = specified[entity.blueprint];
      expect(blueprint ? findComplaints(entity, blueprint) : entity.blueprint).toEqual([]);
      expect(Object.keys(entity.relations).sort()).toEqual(Object.keys(blueprint?.relations ?? {}).sort());
      for (const [key, value] of Object.entries(entity.relations)) {
        for (const one of identifiersIn(value)) expect(isKnown(blueprint?.relations[key] ?? '', one)).toBe(true);
      }
      for (const one of entity.team ?? []) expect(teamIdentifiers).toContain(one);
    }
    expect(agents.length + invocations.length).toBe(8);
  });

  it('allow only tools by patterns that compile and name real actions', () => {
    const actionIdentifiers = organization.actions.map((one) => `run_${one.identifier}`);
    for (const pattern of agents.flatMap((one) => one.properties['tools'] as string[])) {
      const compiled = new RegExp(`^(?:${pattern})`);
      if (pattern.startsWith('^run_')) expect(actionIdentifiers.some((name) => compiled.test(name))).toBe(true);
    }
  });

  it('are finished or refused: none is left at work', () => {
    expect(invocations.map((one) => one.properties['status'])).toEqual([
      'Completed',
      'Completed',
      'Failed',
      'Completed',
    ]);
  });
});

describe('actions, pages and runs', () => {
  const actionIdentifiers = organization.actions.map((one) => one.identifier);

  it('have six actions, whose forms show every input once', () => {
    expect(actionIdentifiers).toHaveLength(6);
    for (const { identifier, trigger } of organization.actions) {
      expect(identifier).toMatch(actionPattern);
      const { properties, titles, order, steps } = trigger.userInputs as {
        properties: object;
        titles?: object;
        order?: string[];
        steps?: { title: string; order: string[] }[];
      };
      const shown = order ?? steps?.flatMap((step) => step.order) ?? [];
      expect(shown.toSorted()).toEqual([...Object.keys(properties), ...Object.keys(titles ?? {})].sort());
      for (const text of [trigger.actionCardButtonText, trigger.executeActionButtonText]) {
        if (text !== undefined) expect(text).toMatch(/^(?=.{1,15}$)[^\s].*[^\s]$/);
      }
    }
    expect(actionIdentifiers).toEqual(expect.arrayContaining(organization.permitted));
  });

  it('have four automations at work and one switched off', () => {
    expect(organization.automations.map((one) => one.publish)).toEqual([true, true, true, true, false]);
    for (const { trigger } of organization.automations) {
      const { blueprintIdentifier, actionIdentifier } = trigger.event as Partial<Record<string, string>>;
      if (actionIdentifier) expect(actionIdentifiers).toContain(actionIdentifier);
      else expect(['_ai_invocations', ...blueprints.map((one) => one.identifier)]).toContain(blueprintIdentifier);
    }
  });

  it('lay widgets out in full rows of twelve columns', () => {
    for (const { body: page } of organization.pages) {
      for (const top of (page.widgets ?? []).filter((one) => one.type === 'dashboard-widget')) {
        const rows = top['layout'] as { height: number; columns: { id: string; size: number }[] }[];
        const columns = rows.flatMap((row) => row.columns);
        const widgets = top['widgets'] as { id: string }[];
        expect(columns.map((one) => one.id)).toEqual(widgets.map((one) => one.id));
        expect(new Set(columns.map((one) => one.id)).size).toBe(columns.length);
        for (const row of rows) {
          // what the portal draws as stored (decision 0143)
          expect(row.height).toBeGreaterThanOrEqual(96);
          expect(row.height).toBeLessThanOrEqual(960);
          expect(row.columns.length).toBeLessThanOrEqual(4);
          expect(row.columns.every((one) => one.size >= 3)).toBe(true);
          expect(
            row.columns.reduce((sum, one) => sum + one.size, 0),
            page.identifier,
          ).toBe(12);
        }
      }
      if (page.visibility === 'private') expect([page.parent, page.after]).toEqual([undefined, undefined]);
    }
    expect(new Set(organization.pages.map((one) => one.identifier)).size).toBe(organization.pages.length);
  });
});
