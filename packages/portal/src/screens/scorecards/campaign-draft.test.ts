import type { Campaign } from '@portolan/contract/campaigns';
import type { Scorecard } from '@portolan/contract/scorecards';
import { expect, test } from 'vitest';
import { draftQueries, newDraft, ofScorecard, readBody, scorecardKey, toBody, toDraft } from './campaign-draft.ts';

const scorecard = {
  blueprint: 'service',
  identifier: 'ready',
  title: 'Ready',
  levels: [{ title: 'Basic' }, { title: 'Silver' }, { title: 'Gold' }],
  rules: [],
} as unknown as Scorecard;
const late = new Date('2026-12-31T23:30:00');

test('a new campaign aims at the highest level, is active and due in thirty days of the calendar', () => {
  expect(newDraft(late, scorecard)).toMatchObject({
    scorecard: scorecardKey(scorecard),
    level: 'Gold',
    status: 'active',
    dueDate: '2027-01-30',
  });
  expect(newDraft(late, undefined)).toMatchObject({ scorecard: '', level: '' });
});

test('what is sent has the chosen kind of target and nothing that was left empty', () => {
  const draft = { ...newDraft(late, scorecard), title: ' Gold ', rules: ['owned'], description: ' ' };
  const common = {
    remindOwners: true,
    title: 'Gold',
    blueprint: 'service',
    scorecard: 'ready',
    dueDate: '2027-01-30',
    status: 'active',
  };
  expect(toBody(draft)).toEqual({ ...common, target: { level: 'Gold' } });
  expect(toBody({ ...draft, aim: 'rules' })).toEqual({ ...common, target: { rules: ['owned'] } });
  // a rule that is not finished is not sent
  const filter = { combinator: 'and', rules: [{ property: 'tier', operator: '=' }] } as const;
  expect(toBody({ ...draft, filter })).toEqual({ ...common, target: { level: 'Gold' } });
});

test('a stored campaign is edited as it was written, without what the platform added', () => {
  const written = {
    title: 'Gold',
    description: 'Why',
    blueprint: 'service',
    scorecard: 'ready',
    target: { rules: ['owned'] },
    filter: { combinator: 'and' as const, rules: [{ property: 'tier', operator: '=' as const, value: 1 }] },
    owner: 'ada@example.com',
    dueDate: '2027-01-30',
    status: 'draft' as const,
    remindOwners: false,
  };
  const campaign: Campaign = { ...written, id: 'c', createdAt: '', createdBy: '', updatedAt: '', updatedBy: '' };
  expect(readBody(campaign)).toEqual(written);
  expect(toDraft(campaign)).toMatchObject({ aim: 'rules', rules: ['owned'], level: '' });
});

test('another scorecard drops what was about the one before', () => {
  expect(ofScorecard(scorecard)).toMatchObject({ rules: [], filter: { rules: [] }, level: 'Gold' });
});

test('a draft is counted as the server will count it', () => {
  const draft = { ...newDraft(late, scorecard), level: 'Silver' };
  const measured = { combinator: 'and', rules: [{ scorecard: 'ready', operator: 'isNotEmpty' }] };
  expect(draftQueries(draft, scorecard)).toEqual({
    measured,
    reached: {
      combinator: 'and',
      rules: [
        measured,
        { combinator: 'and', rules: [{ scorecard: 'ready', operator: 'in', value: ['Silver', 'Gold'] }] },
      ],
    },
  });
  expect(draftQueries({ ...draft, aim: 'rules' }, scorecard)).toBeUndefined();
  expect(draftQueries(draft, undefined)).toBeUndefined();
});
