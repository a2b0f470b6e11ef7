import { Loader } from '@mantine/core';
import { Check, CircleX, Wrench } from 'lucide-react';
import { duration } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import classes from './ai.module.css';
import type { ToolPart } from './answer-events.ts';
import { BoundedText } from './bounded-text.tsx';

/** Consecutive tool calls, folded into one line that mentions failures. */
export function ToolRows({ tools, isLive }: { tools: readonly ToolPart[]; isLive: boolean }) {
  const [first] = tools;
  if (tools.length === 1 && first) return <ToolRow tool={first} isLive={isLive} />;
  const running = tools.find(({ endedAt }) => endedAt === undefined);
  const failed = tools.filter(({ isError }) => isError).length;
  return (
    <details className={classes.tools}>
      <summary>
        {running && isLive ? <Loader size={14} /> : <Wrench size={14} aria-hidden="true" />}
        <span>
          {running && isLive
            ? t('Uses {name}', { name: running.name })
            : t('Used {count} tools', { count: tools.length })}
          {failed > 0 && <span className={classes.failed}> {t('· {failed} failed', { failed })}</span>}
        </span>
      </summary>
      {tools.map((tool) => (
        <ToolRow key={tool.id} tool={tool} isLive={isLive} />
      ))}
    </details>
  );
}

/** A tool call: its arguments, result and duration. */
function ToolRow({ tool, isLive }: { tool: ToolPart; isLive: boolean }) {
  const isRunning = tool.endedAt === undefined;
  const seen = isLive && tool.endedAt !== undefined ? tool.endedAt - tool.startedAt : undefined;
  // a call that arrived in one piece (a replay) has no meaningful duration
  const took = seen !== undefined && seen >= 20 ? seen : undefined;
  return (
    <details className={classes.tools}>
      <summary>
        {isRunning && isLive ? (
          <Loader size={14} />
        ) : tool.isError ? (
          <CircleX size={14} aria-hidden="true" className={classes.failed} />
        ) : (
          <Check size={14} aria-hidden="true" />
        )}
        <code>{tool.name}</code>
        <span className={classes.gist}>{summarize(tool.arguments)}</span>
        {tool.isError && <span className={classes.failed}>{t('failed')}</span>}
        {took !== undefined && <span className={classes.took}>{duration(took)}</span>}
      </summary>
      <BoundedText label={t('Arguments')} text={tool.arguments || '{}'} />
      {tool.result !== undefined && <BoundedText label={tool.isError ? t('Error') : t('Result')} text={tool.result} />}
    </details>
  );
}

/** The values of the arguments in one line: `service · sanctions`. */
export function summarize(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return '';
    return Object.values(value)
      .filter((each) => ['string', 'number', 'boolean'].includes(typeof each))
      .join(' · ')
      .slice(0, 120);
  } catch {
    return '';
  }
}
