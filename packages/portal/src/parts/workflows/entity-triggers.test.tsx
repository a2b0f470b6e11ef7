import { expect, test } from 'vitest';
import { entityInput, inputBlueprint, type StartForm } from './entity-input.ts';
import { formTitle, makesEntity } from './entity-triggers.ts';

const form = (more: object): StartForm =>
  ({
    workflowIdentifier: 'retire',
    nodeIdentifier: 'form',
    workflow: { identifier: 'retire', title: 'Retire', version: 1 },
    title: 'Now',
    userInputs: {
      properties: {
        service: { type: 'string', format: 'entity', blueprint: 'service' },
        many: { type: 'array', items: { format: 'entity', blueprint: 'domain' } },
        who: { type: 'string', format: 'user' },
      },
    },
    contexts: [],
    ...more,
  }) as unknown as StartForm;

test('an input takes entities of one blueprint, alone or as a list; people are entities too', () => {
  expect(inputBlueprint({ format: 'entity', blueprint: 'service' })).toBe('service');
  expect(inputBlueprint({ type: 'array', blueprint: 'domain', items: { format: 'entity' } })).toBe('domain');
  expect(inputBlueprint({ format: 'team' })).toBe('_team');
  expect(inputBlueprint({ format: 'email' })).toBeUndefined();
  expect(inputBlueprint(undefined)).toBeUndefined();
});

test('a form is offered for entities of the blueprint that its context names, and of no other', () => {
  const offered = form({ contexts: [{ on: 'ENTITY', userInput: 'service' }] });
  expect(entityInput(offered, 'service')).toBe('service');
  expect(entityInput(offered, 'domain')).toBeUndefined();
  expect(entityInput(form({}), 'service')).toBeUndefined();
  expect(entityInput(form({ contexts: [{ on: 'ENTITY', userInput: 'gone' }] }), 'service')).toBeUndefined();
  expect(entityInput(form({ contexts: [{ on: 'ENTITY', userInput: 'many' }] }), 'domain')).toBe('many');
});

test('a form stands where entities are made only for the blueprint that it names', () => {
  const making = form({ contexts: [{ on: 'CREATE_ENTITY', blueprintIdentifier: 'service' }] });
  expect(makesEntity(making, 'service')).toBe(true);
  expect(makesEntity(making, 'domain')).toBe(false);
});

test('a form says its own name where its workflow has several', () => {
  const [now, later] = [form({}), form({ nodeIdentifier: 'later', title: '' })];
  expect(formTitle(now, [now])).toBe('Retire');
  expect(formTitle(now, [now, later])).toBe('Retire: Now');
  expect(formTitle(later, [now, later])).toBe('Retire: later');
});
