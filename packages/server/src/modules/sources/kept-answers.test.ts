import { expect, test } from 'vitest';
import { createAnswerStore, type KeptAnswer } from './kept-answers.ts';

const answer = (text: string): KeptAnswer => ({ status: 200, headers: new Headers(), text, isFinal: true });

test('what was used last is kept, as far as there is room', () => {
  const answers = createAnswerStore({ bytesMax: 2_000, answerBytesMax: 1_500 })('a');
  for (const name of ['1', '2', '3']) answers.keep(name, answer(name));
  expect(answers.find('1')?.text).toBe('1');
  answers.keep('4', answer('4'));
  expect(['1', '2', '3', '4'].filter((name) => answers.find(name))).toEqual(['1', '3', '4']);
  // room that was given back is used again
  for (let count = 0; count < 50; count += 1) answers.keep('4', answer('x'.repeat(count)));
  expect(['1', '3', '4'].filter((name) => answers.find(name))).toEqual(['1', '3', '4']);
  answers.keep('5', answer('x'.repeat(900)));
  expect(answers.find('5')?.text).toHaveLength(900);
  answers.keep('5', answer('x'.repeat(3_000)));
  expect(answers.find('5')).toBeUndefined();
});

test('nobody sees what another was answered', () => {
  const answersOf = createAnswerStore();
  answersOf('org/1/100').keep('GET /', answer('secret'));
  expect(answersOf('org/1/100').find('GET /')?.text).toBe('secret');
  for (const scope of ['org/1/101', 'org/2/100', 'other/1/100']) expect(answersOf(scope).find('GET /')).toBeUndefined();
});
