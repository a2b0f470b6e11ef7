import { Text } from '@mantine/core';
import { duration } from '../../kit/time.ts';
import { plural, t } from '../../kit/translate.ts';
import { BoundedText } from '../../parts/ai/bounded-text.tsx';
import { summarize } from '../../parts/ai/tool-rows.tsx';
import { colourValues } from '../../theme/colours.ts';
import type { TimelineCall } from './execution-log.ts';
import classes from './invocations.module.css';

/**
 * Tool calls with bars as long as their duration. Calls of one turn start together; those of the next turn start after
 * the longest of them. The time of the model between turns is not measured separately, so it is shown only as a sum.
 */
export function Timeline({ calls, totalMs }: { calls: readonly TimelineCall[]; totalMs: number | undefined }) {
  const starts = listStarts(calls);
  const inTools = Math.max(0, ...calls.map((call, index) => (starts[index] ?? 0) + (call.durationMs ?? 0)));
  if (calls.length === 0) return <Text c="dimmed">{t('No tool was used.')}</Text>;
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {plural(calls.length, '{count} call, {inTools} in tools', '{count} calls, {inTools} in tools', {
          inTools: duration(inTools),
        })}
        {totalMs !== undefined &&
          t(', {duration} in the model and between', { duration: duration(Math.max(0, totalMs - inTools)) })}
        {t('. Select a call to see its input and answer.')}
      </Text>
      <ol className={classes.timeline}>
        {calls.map((call, index) => (
          <li key={call.id}>
            <details className={classes.call}>
              <summary>
                <span className={classes.callName}>
                  <code>{call.name}</code>
                  <span className={classes.gist}>{summarize(call.arguments)}</span>
                </span>
                <span className={classes.track} aria-hidden="true">
                  <span
                    className={classes.bar}
                    style={{
                      insetInlineStart: `${percent(starts[index] ?? 0, inTools)}%`,
                      width: `${Math.max(1, percent(call.durationMs ?? 0, inTools))}%`,
                      background: colourValues(call.isError ? 'red' : call.name.startsWith('run_') ? 'purple' : 'blue')
                        .solid,
                    }}
                  />
                </span>
                <span className={classes.took}>
                  {call.isError && `${t('failed')} · `}
                  {call.durationMs === undefined ? t('no result') : duration(call.durationMs)}
                </span>
              </summary>
              <BoundedText label={t('Arguments')} text={call.arguments} />
              {call.result !== undefined && (
                <BoundedText label={call.isError ? t('Error') : t('Result')} text={call.result} />
              )}
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

function listStarts(calls: readonly TimelineCall[]): readonly number[] {
  const starts: number[] = [];
  let turn = 0;
  let begin = 0;
  let end = 0;
  for (const call of calls) {
    if (call.turn !== turn) {
      turn = call.turn;
      begin = end;
    }
    starts.push(begin);
    end = Math.max(end, begin + (call.durationMs ?? 0));
  }
  return starts;
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, (part / whole) * 100);
}
