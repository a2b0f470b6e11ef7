import { expect, test } from 'vitest';
import { findFileItems, type Json } from '../src/index.ts';
import { organization } from './organization.ts';

/** Pointer, verdict and what is suggested of everything in a file. */
const found = (document: Json) =>
  findFileItems('a.yml', document, organization('legacy')).map(({ pointer, verdict, suggestion }) => [
    pointer,
    verdict,
    suggestion?.value ?? null,
  ]);

test('entities, alone or in lists, write titles, identifiers or what nobody knows', () => {
  const entity = (team: Json): Json => ({ identifier: 'cart', blueprint: 'service', team });
  expect(found(entity('SRE'))).toEqual([['/team', 'breaks', 'sre']]);
  expect(found([entity(['SRE', 'pay']), entity('sre'), entity([])])).toEqual([['/0/team', 'breaks', ['sre', 'pay']]]);
  expect(found([entity('Nobody'), entity('{{ .team }}')])).toEqual([
    ['/0/team', 'review', null],
    ['/1/team', 'review', null],
  ]);
  expect(found({ team: 'SRE', name: 'no entity' })).toEqual([]);
});

test('steps of workflows write entities under any owner and brand', () => {
  const step = (uses: string, given: Record<string, Json>): Json => ({ uses, with: given });
  const ours = 'port-labs/port-github-action@v1';
  const steps = [
    step('actions/checkout@v4', { team: 'SRE' }),
    step(ours, { team: 'SRE' }),
    step(ours, { team: '["SRE","Payments Core"]' }),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: workflows write their expressions so
    step('acme/acme-github-action@v2', { team: '${{ inputs.team }}' }),
    step(ours, { team: 'sre' }),
    step(ours, { entities: '[{"identifier":"a","blueprint":"b","team":"SRE"}]' }),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: workflows write their expressions so
    step(ours, { entities: '[{"identifier":"a","blueprint":"b","team": ${{ inputs.team }} }]' }),
    step(ours, { entities: '[{"identifier":"a","blueprint":"b"}]' }),
  ];
  const expected = [
    ['/1/with/team', 'breaks', 'sre'],
    ['/2/with/team', 'breaks', '["sre","payments_core"]'],
    ['/3/with/team', 'review', null],
    ['/5/with/entities', 'breaks', null],
    ['/6/with/entities', 'review', null],
  ];
  const under = (path: string) => expected.map(([pointer, ...rest]) => [`${path}${pointer}`, ...rest]);
  expect(found({ jobs: { report: { steps } } })).toEqual(under('/jobs/report/steps'));
  expect(found({ runs: { using: 'composite', steps } })).toEqual(under('/runs/steps'));
});
