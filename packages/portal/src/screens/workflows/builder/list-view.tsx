import { CornerDownRight, CornerRightUp, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useOneTabStop } from '../../../kit/arrow-keys.ts';
import { plural, t } from '../../../kit/translate.ts';
import { ColourBadge } from '../../../parts/badges.tsx';
import { undoneBy } from '../document/compensations.ts';
import { type Definition, findNode, isTrigger, type Way, type WorkflowNode } from '../document/definition.ts';
import { type Line, wayTitle } from '../document/outline.ts';
import { findKind } from '../node-kinds.ts';
import { NodeMenu } from './node-menu.tsx';
import { lineSelection } from './selection.ts';
import { type Builder, selectionKey } from './use-builder.ts';
import classes from './workflows.module.css';

/** The workflow as an outline: what is edited by keys, and read aloud. */
export function ListView({
  draft,
  builder,
  onEdit,
}: {
  draft: Definition;
  builder: Builder;
  /** Moves the focus to the form of the selected node. */
  onEdit: () => void;
}) {
  const root = useRef<HTMLElement>(null);
  useOneTabStop(root);
  const { lines, focus, focused } = builder;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the line may come with the next drawing
  useEffect(() => {
    if (focus === undefined) return;
    const row = [...(root.current?.querySelectorAll<HTMLElement>('[data-line]') ?? [])].find(
      (each) => each.dataset['line'] === focus,
    );
    if (!row) return;
    row.focus();
    focused();
  }, [focus, lines]);
  return (
    <section ref={root} aria-label={t('Workflow as a list')} onKeyDown={step}>
      <ol className={classes.lines}>
        {lines.map((line) => (
          <Row
            key={`${line.kind} ${selectionKey(lineSelection(line))}`}
            line={line}
            draft={draft}
            builder={builder}
            onEdit={onEdit}
          />
        ))}
      </ol>
    </section>
  );
}

/** Arrow keys go from line to line. */
function step(event: KeyboardEvent<HTMLElement>) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (event.target as Element).closest('[data-line]');
  if (!by || !row || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')];
  rows[rows.indexOf(row as HTMLElement) + by]?.focus();
  event.preventDefault();
}

interface RowProps {
  readonly line: Line;
  readonly draft: Definition;
  readonly builder: Builder;
  readonly onEdit: () => void;
}

function Row({ line, draft, builder, onEdit }: RowProps) {
  const at = lineSelection(line);
  const key = selectionKey(at);
  const isSelected = builder.selection !== undefined && selectionKey(builder.selection) === key;
  const faults = line.kind === 'node' ? builder.faultsAt(line.node.identifier) : [];
  const isWrong = faults.some((each) => !each.isWarning);
  return (
    <li className={classes.line} style={{ paddingInlineStart: line.depth * 20 }}>
      <button
        type="button"
        className={classes.row}
        tabIndex={-1}
        data-item
        data-line={key}
        data-kind={line.kind}
        data-wrong={isWrong || undefined}
        aria-current={isSelected || undefined}
        onFocus={() => isSelected || builder.select(at)}
        onClick={({ detail }) => {
          builder.select(at);
          // a click of Enter has no count
          if (detail === 0) onEdit();
        }}
      >
        {line.kind === 'node' && <NodeWords node={line.node} number={line.number} draft={draft} />}
        {line.kind === 'branch' && <BranchWords node={line.source} way={line.way} />}
        {line.kind === 'jump' && <JumpWords draft={draft} target={line.target} />}
        {faults.length > 0 && (
          <span className={classes.faultCount} data-warning={!isWrong || undefined}>
            <TriangleAlert size={14} aria-hidden="true" /> {faults.length}{' '}
            <span className="visually-hidden">{plural(faults.length, 'fault', 'faults')}</span>
          </span>
        )}
      </button>
      <NodeMenu at={at} line={line} draft={draft} builder={builder} />
    </li>
  );
}

function NodeWords({ node, number, draft }: { node: WorkflowNode; number: number | undefined; draft: Definition }) {
  const undone = undoneBy(draft, node.identifier);
  const { icon: Icon, label } = findKind(node.config.type);
  return (
    <>
      <span className="visually-hidden">{isTrigger(node) ? t('Trigger') : t('Step')}</span>{' '}
      <span className={classes.number}>{number === undefined ? '' : `${number}.`}</span>{' '}
      <Icon size={16} aria-hidden="true" />
      <span className={classes.rowTitle} dir="auto">
        {node.title || node.identifier}
      </span>{' '}
      <code className={classes.rowName}>{node.identifier}</code>{' '}
      <ColourBadge colour={isTrigger(node) ? 'green' : 'lightGray'}>{label}</ColourBadge>{' '}
      {undone && (
        <ColourBadge colour="lightGray">
          {t('undoes {title}', { title: undone.title || undone.identifier })}
        </ColourBadge>
      )}{' '}
      {node.config['published'] === false && <ColourBadge colour="darkGray">{t('Not published')}</ColourBadge>}
    </>
  );
}

function BranchWords({ node, way }: { node: WorkflowNode; way: Way }) {
  const title = wayTitle(node, way);
  return (
    <>
      <CornerDownRight size={14} aria-hidden="true" />
      <span dir="auto">
        {title === undefined
          ? t('Otherwise')
          : node.config.type === 'INPUT'
            ? t('On {title}', { title })
            : t('If {title}', { title })}
      </span>
    </>
  );
}

function JumpWords({ draft, target }: { draft: Definition; target: string }) {
  const node = findNode(draft, target);
  return (
    <>
      <CornerRightUp size={14} aria-hidden="true" />
      <span dir="auto">{t('Goes on with {title}', { title: node?.title || target })}</span>
    </>
  );
}
