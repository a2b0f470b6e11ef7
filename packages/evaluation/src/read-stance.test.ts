import { expect, test } from 'vitest';
import { isQuestion, isRefusal } from './read-stance.ts';

test.each([
  'I did not answer this. I know nothing called “payments”.',
  'I’m sorry, but there is no such service.',
  'I can’t help with the weather.',
  'There is no service called payments.',
  "I couldn't find **Payroll** in the catalog.",
  'The service payments does not exist.',
])('%j refuses', (answer) => expect(isRefusal(answer)).toBe(true));

test.each([
  'Services without an owner: **3**\n\n- **Map Tiles**',
  'Invoicing is owned by Billing & Rates.',
  'There are no incidents.',
  `${'All services have owners. '.repeat(20)}I cannot say more.`,
])('%j does not refuse', (answer) => expect(isRefusal(answer)).toBe(false));

test('a case may add phrases', () => {
  expect(isRefusal('Outside my remit, friend.')).toBe(false);
  expect(isRefusal('Outside my *remit*, friend.', ['outside my remit'])).toBe(true);
});

test.each([
  'Which do you mean: “Services, latest Launched”, or “Services, latest Created”?',
  'Did you mean **Rate Engine** (Service)?',
  'Two services are called optimizer. Which one do you mean?',
])('%j asks back', (answer) => expect(isQuestion(answer)).toBe(true));

test.each([
  'There are 18 services.',
  'There are 18 services. Would you like to see them?',
  'Who owns it? Billing & Rates does.',
])('%j does not ask back', (answer) => expect(isQuestion(answer)).toBe(false));
