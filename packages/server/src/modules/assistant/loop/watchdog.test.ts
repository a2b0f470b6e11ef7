import { expect, test } from 'vitest';
import { AppError } from '../../../platform/errors.ts';
import { createWatchdog } from './watchdog.ts';

const limits = { totalMs: 10_000, firstContentMs: 10_000, betweenContentsMs: 10_000 };

test('a run that ended aborts nothing, also when it is left afterwards or its caller aborts', () => {
  const caller = new AbortController();
  const watchdog = createWatchdog(limits, caller.signal);
  watchdog.expectFirst();
  watchdog.dispose();
  watchdog.abandon();
  caller.abort();
  expect(watchdog.signal.aborted).toBe(false);
});

test('a run that is abandoned aborts what is under way, in words of its own', () => {
  const watchdog = createWatchdog(limits, new AbortController().signal);
  watchdog.abandon();
  expect(watchdog.signal.reason).toBeInstanceOf(AppError);
  expect(watchdog.signal.reason).toMatchObject({ code: 'invocation_cancelled' });
});

test('the first reason stays', () => {
  const caller = new AbortController();
  const watchdog = createWatchdog(limits, caller.signal);
  caller.abort(new AppError('invocation_cancelled', 'Cancelled by ann'));
  watchdog.abandon();
  expect(watchdog.signal.reason).toMatchObject({ message: 'Cancelled by ann' });
});
