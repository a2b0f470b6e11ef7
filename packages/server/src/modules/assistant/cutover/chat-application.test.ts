import { expect, test } from 'vitest';
import { chatApplication, refuseChat } from './chat-application.ts';

const stopped = new Date('2026-01-01T00:00:00Z');

test("people are told the operator's own notice of the chat application, everywhere it is named", () => {
  const notice = 'Ask in the new room #ask-portolan.';
  expect(chatApplication(stopped, notice)).toMatchObject({ stopped: true, message: notice });
  expect(() => refuseChat(stopped, notice)).toThrow(notice);
});

test('without one they are told when it stopped', () => {
  expect(chatApplication(stopped).message).toContain('1 October 2025');
  expect(() => refuseChat(stopped)).toThrow('1 October 2025');
});
