import { useEffect, useRef, useState } from 'react';
import { useOneTabStop } from '../../../kit/arrow-keys.ts';
import { duration } from '../../../kit/time.ts';
import { plural, t } from '../../../kit/translate.ts';
import { StatusBadge } from '../../../parts/badges.tsx';
import type { NodeRun, WorkflowRun } from '../../../parts/workflows/respond-form.tsx';
import { childrenInWords, runState, waitLabel, waitWords } from '../../../parts/workflows/run-words.ts';
import { findKind } from '../node-kinds.ts';
import classes from './runs.module.css';

/** The steps of a run in time, a row each: queued, carried out or waiting, with its tries. */
export function Waterfall({
  run,
  selected,
  onSelect,
}: {
  run: WorkflowRun;
  selected: string | undefined;
  onSelect: (nodeRun: string) => void;
}) {
  const root = useRef<HTMLElement>(null);
  useOneTabStop(root);
  const now = useNow(run.status !== 'COMPLETED');
  useEffect(() => {
    root.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest' });
  });
  const began = Date.parse(run.createdAt);
  const ended = run.completedAt ? Date.parse(run.completedAt) : now;
  const whole = Math.max(1, ended - began);
  const part = (at: number) => `${(Math.min(1, Math.max(0, (at - began) / whole)) * 100).toFixed(2)}%`;
  return (
    <section
      ref={root}
      aria-label={t('Steps of the run')}
      onKeyDown={(event) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        const row = (event.target as Element).closest<HTMLElement>('[data-item]');
        if (!by || !row) return;
        const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-item]')];
        rows[rows.indexOf(row) + by]?.focus();
        event.preventDefault();
      }}
    >
      <ol className={classes.steps}>
        {run.nodeRuns.map((nodeRun) => (
          <Row
            key={nodeRun.identifier}
            nodeRun={nodeRun}
            undone={nameStep(run.nodeRuns.find(({ identifier }) => identifier === nodeRun.compensates))}
            now={now}
            part={part}
            isSelected={nodeRun.identifier === selected}
            onSelect={onSelect}
          />
        ))}
      </ol>
    </section>
  );
}

function nameStep(nodeRun: NodeRun | undefined): string | undefined {
  return nodeRun && (nodeRun.nodeTitle || nodeRun.node.identifier);
}

function Row({
  nodeRun,
  undone,
  now,
  part,
  isSelected,
  onSelect,
}: {
  nodeRun: NodeRun;
  /** The step that it undoes. */
  undone: string | undefined;
  now: number;
  part: (at: number) => string;
  isSelected: boolean;
  onSelect: (nodeRun: string) => void;
}) {
  const { identifier, node, nodeTitle, nodeConfigType, createdAt, startedAt, completedAt, result, tries, attempt } =
    nodeRun;
  const { icon: Icon, label } = findKind(nodeConfigType);
  const [made, end] = [Date.parse(createdAt), completedAt ? Date.parse(completedAt) : now];
  const start = startedAt ? Date.parse(startedAt) : made;
  const lasted = duration(Math.max(0, end - made));
  const state = runState(nodeRun);
  const waits = nodeRun.status === 'IN_PROGRESS' ? waitWords(nodeRun.waitingFor) : undefined;
  // what waits for people or a time is no work: it is hatched, also afterwards
  const isWait = waits !== undefined || ['INPUT', 'DELAY', 'WAIT_FOR_EVENT'].includes(nodeConfigType);
  const title = nodeTitle || node.identifier;
  return (
    <li>
      <button
        type="button"
        className={classes.step}
        tabIndex={-1}
        data-item
        aria-current={isSelected || undefined}
        onClick={() => onSelect(identifier)}
      >
        <span className={classes.stepName}>
          <Icon size={16} aria-hidden="true" />
          <span className={classes.stepTitle} dir="auto">
            {title}
          </span>
          {nodeRun.reused && <span className={classes.note}>{t('taken over')}</span>}
          {undone && <span className={classes.note}>{t('undoes {title}', { title: undone })}</span>}
          {nodeRun.repeated && <span className={classes.note}>{t('repeated since')}</span>}
          {attempt > 1 && !undone && <span className={classes.note}>{t('attempt {attempt}', { attempt })}</span>}
        </span>
        <span className={classes.track} aria-hidden="true">
          {start > made && <Bar look="queued" from={part(made)} to={part(start)} />}
          <Bar look={isWait ? 'waiting' : (result ?? 'busy')} from={part(start)} to={part(end)} />
        </span>
        <span className={classes.stepState}>
          <StatusBadge
            status={state}
            label={
              nodeRun.statusLabel?.text ?? waitLabel(nodeRun) ?? (result === 'SUCCESS' ? nodeRun.outlet : undefined)
            }
          />
          <span className={classes.note}>{lasted}</span>
          {nodeRun.children && <span className={classes.note}>{childrenInWords(nodeRun.children)}</span>}
          {tries > 1 && <span className={classes.note}>{plural(tries, '{count} try', '{count} tries')}</span>}
        </span>
        <span className="visually-hidden">{[label, waits].filter(Boolean).join(', ')}</span>
      </button>
    </li>
  );
}

function Bar({ look, from, to }: { look: string; from: string; to: string }) {
  return (
    <span
      className={classes.bar}
      data-look={look}
      style={{ insetInlineStart: from, width: `max(4px, calc(${to} - ${from}))` }}
    />
  );
}

/** The present time, each second while the run goes on. */
function useNow(isOn: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}
