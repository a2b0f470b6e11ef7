import { useMemo, useState } from 'react';
import { useToast } from '../../../kit/toasts.tsx';
import { t } from '../../../kit/translate.ts';
import { findNode, isBranching, wayKey } from '../document/definition.ts';
import {
  addAfter,
  addBranch,
  addTrigger,
  connect,
  freshName,
  removeNode,
  removeOutlet,
  reorderOutlet,
} from '../document/edits.ts';
import { type Fault, faultsAt } from '../document/faults.ts';
import { type Line, outline } from '../document/outline.ts';
import type { NodeKind } from '../node-kinds.ts';
import { lineSelection, type Selection, wayAfter } from './selection.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';

export type Asked = { readonly what: 'add' | 'move'; readonly at: Selection } | { readonly what: 'trigger' };

/** What the list, the canvas and the keys do to the workflow; the two views and the panel share the selection. */
export function useBuilder(
  definition: WorkflowDraft,
  faults: readonly Fault[],
  [selected, setSelected]: readonly [string | undefined, (node: string | undefined) => void],
) {
  const { draft } = definition;
  const toast = useToast();
  const [at, setAt] = useState<Omit<Selection, 'node'>>({});
  const [asked, setAsked] = useState<Asked>();
  const [focus, setFocus] = useState<string>();
  const lines = useMemo(() => outline(draft), [draft]);
  const node = selected === undefined ? undefined : findNode(draft, selected);
  const selection: Selection | undefined = node && { ...at, node: node.identifier };

  const select = (next: Selection | undefined) => {
    setSelected(next?.node);
    setAt(next ? { way: next.way, isJump: next.isJump ?? false } : {});
  };
  /** Selects a line and moves the focus to it, once it is drawn. */
  const goTo = (next: Selection) => {
    select(next);
    setFocus(selectionKey(next));
  };
  const add = (kind: NodeKind) => {
    const identifier = freshName(
      kind.name,
      draft.nodes.map((each) => each.identifier),
    );
    const made = { identifier, title: kind.label, config: kind.fresh() };
    if (asked?.what === 'trigger') definition.change(addTrigger(draft, made));
    else if (asked?.what === 'add') {
      const on = wayAfter(draft, asked.at);
      if (on) definition.change(addAfter(draft, { after: asked.at.node, way: on }, made));
    }
    setAsked(undefined);
    goTo({ node: identifier });
  };
  const askToAdd = (at = selection) => {
    if (!at) return;
    if (wayAfter(draft, at)) setAsked({ what: 'add', at });
    else toast(t('Nothing can follow here: the run ends'));
  };
  const branch = (at = selection) => {
    const source = at && findNode(draft, at.node);
    if (!source) return;
    if (!isBranching(source)) return toast(t('Only conditions and questions to people have branches'));
    const next = addBranch(draft, source.identifier);
    definition.change(next);
    const outlets = findNode(next, source.identifier)?.config['outlets'] as { identifier: string }[];
    goTo({ node: source.identifier, way: { outlet: outlets.at(-1)?.identifier ?? '' } });
  };
  const remove = (at = selection) => {
    if (!at) return;
    const index = lines.findIndex((line) => selectionKey(lineSelection(line)) === selectionKey(at));
    // lines of what is removed go with it
    const stays = (line: Line) =>
      at.way ? selectionKey(lineSelection(line)) !== selectionKey(at) : lineSelection(line).node !== at.node;
    const neighbor = lines.slice(0, Math.max(0, index)).findLast(stays) ?? lines.slice(index + 1).find(stays);
    if (!at.way) definition.change(removeNode(draft, at.node));
    else if ('outlet' in at.way && !at.isJump) definition.change(removeOutlet(draft, at.node, at.way.outlet));
    else definition.change(connect(draft, at.node, at.way, undefined));
    if (neighbor) goTo(lineSelection(neighbor));
    else select(undefined);
  };
  const reorder = (by: -1 | 1, at = selection) => {
    if (!at?.way || !('outlet' in at.way) || at.isJump) return;
    definition.change(reorderOutlet(draft, at.node, at.way.outlet, by));
    goTo(at);
  };
  return {
    lines,
    node,
    selection,
    select,
    goTo,
    asked,
    ask: setAsked,
    askToAdd,
    askToMove: (at = selection) => at && setAsked({ what: 'move', at }),
    add,
    branch,
    remove,
    reorder,
    /** The line that wants the focus. */
    focus,
    focused: () => setFocus(undefined),
    faultsAt: (identifier: string) => faultsAt(draft, faults, identifier),
  };
}

export type Builder = ReturnType<typeof useBuilder>;

export function selectionKey({ node, way, isJump }: Selection): string {
  return way ? `${node}\n${wayKey(way)}${isJump ? '\njump' : ''}` : node;
}
