import { useQueryClient } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { sessionKey } from '../api/session.ts';
import { EntityPicker } from './entity-picker.tsx';

const ofTeams = (value: unknown) => ({ property: '$team', operator: 'containsAny', value });
const live = { property: 'lifecycle', operator: '=', value: 'live' };
const noParts = { relations: {}, mirrorProperties: {}, calculationProperties: {}, aggregationProperties: {} };
const properties = { lifecycle: { type: 'string', title: 'Lifecycle' } };

interface Caller {
  readonly roles?: readonly string[];
  readonly teams?: readonly { readonly identifier: string; readonly name: string }[];
}

function SignedIn({ caller: { roles = ['Member'], teams = [] }, children }: { caller: Caller; children: ReactNode }) {
  const queries = useQueryClient();
  useState(() =>
    queries.setQueryData(sessionKey, {
      ok: true,
      user: { email: 'me@x.example', teams },
      roles,
      organization: { id: 'org_x', name: 'X', isDemo: false },
    }),
  );
  return children;
}

/** A picker over services; `matches` says which rules leave one. */
async function drawPicker(
  rules: readonly object[],
  matches: (rules: readonly object[]) => boolean,
  caller: Caller = {},
): Promise<void> {
  fakeApi({
    getBlueprint: () => ({
      ok: true,
      blueprint: { identifier: 'service', title: 'Service', schema: { properties, required: [] }, ...noParts },
    }),
    searchBlueprintEntities: ({ body }: { body: { query: { rules: readonly object[] } } }) => {
      const asked = body.query.rules.flatMap((rule) => ('rules' in rule ? (rule.rules as object[]) : [rule]));
      return { ok: true, entities: matches(asked) ? [{ identifier: 'billing', title: 'Billing' }] : [] };
    },
    getOwnOrganization: () => ({ ok: true, organization: { featureFlags: ['USERS_AND_TEAMS_OWNERSHIP_V2'] } }),
    listBlueprints: () => ({ ok: true, blueprints: [] }),
    listTeams: () => ({ ok: true, teams: [{ name: 'Billing & Rates', identifier: 'billing-rates' }] }),
    listUsers: () => ({
      ok: true,
      users: [
        { email: 'ana@x.example', firstName: 'Ana', lastName: 'Silva', status: 'Active', roles: [{ name: 'Admin' }] },
        { email: 'old@x.example', status: 'Disabled', roles: [{ name: 'Admin' }] },
      ],
    }),
  } as never);
  await draw(
    <SignedIn caller={caller}>
      <EntityPicker
        blueprint="service"
        dataset={{ combinator: 'and', rules }}
        value={[]}
        onChange={vi.fn()}
        label="Service"
      />
    </SignedIn>,
  );
}

const without = (property: string) => (rules: readonly object[]) =>
  !rules.some((rule) => 'property' in rule && rule.property === property);

test('somebody in no team is told so, and who can add them to one', async () => {
  await drawPicker([ofTeams([])], without('$team'));
  const note = await screen.findByText(/you are in no team yet/);
  expect(note.textContent).toContain('Only a Service of your own teams can be chosen');
  await screen.findByText(/Ask an administrator \(Ana Silva\) to add you to one/);
});

test('an administrator in no team is led to where teams are made', async () => {
  await drawPicker([ofTeams([])], without('$team'), { roles: ['Admin'] });
  await screen.findByText(/you are in no team yet/);
  expect(screen.getByRole('link', { name: 'Teams' }).getAttribute('href')).toBe('/builder/teams');
});

test('where own teams own none, they are named', async () => {
  const own = [{ identifier: 'billing-rates', name: 'Billing & Rates' }];
  await drawPicker([ofTeams(['billing-rates']), live], without('$team'), { teams: own });
  await screen.findByText(/of your own teams can be chosen, and Billing & Rates own/);
});

test('the rule that leaves nothing is said in words, and the others are not', async () => {
  await drawPicker([ofTeams(['billing-rates']), live], without('lifecycle'));
  const note = await screen.findByText(/No Service matches the rule "Lifecycle .*live"/);
  expect(note.textContent).not.toContain('team');
});

test('rules that match something each, and nothing together, are told apart from one that matches nothing', async () => {
  await drawPicker([ofTeams(['billing-rates']), live], (rules) => rules.length < 2);
  await screen.findByText(/No Service meets all rules of this list together/);
});

test('without any entity it is not the rules', async () => {
  await drawPicker([live], () => false);
  await screen.findByText('There is no Service yet, or none that you may see.');
});

test('nothing is said where there is something to pick', async () => {
  await drawPicker([live], () => true);
  await screen.findByRole('combobox', { name: 'Service' });
  expect(screen.queryByText(/Service (of|matches|meets|yet)/)).toBeNull();
});
