import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { errorStatus } from '../../../api/api.ts';
import { useRead } from '../../../api/query.ts';
import { ErrorState, TextSkeleton } from '../../../kit/states.tsx';
import { t } from '../../../kit/translate.ts';
import type { NodeRun, WorkflowRun } from '../../../parts/workflows/respond-form.tsx';
import { Canvas, type CardState } from '../builder/canvas.tsx';
import type { Connection, Definition } from '../document/definition.ts';
import { toDefinition } from '../workflow-things.ts';

/** What a run says of its version's graph, for those who may not read the workflow. */
interface DrawnGraph {
  readonly nodes: readonly {
    readonly identifier: string;
    readonly title?: string | null;
    readonly icon?: string | null;
    readonly type: string;
  }[];
  readonly connections: readonly Connection[];
}

/** The graph of the version that the run has, with the way it took. */
export function RunGraph({
  run,
  selected,
  onSelect,
}: {
  run: WorkflowRun;
  selected: string | undefined;
  onSelect: (nodeRun: string) => void;
}) {
  const { workflow, nodeRuns } = run;
  const given = (run as { graph?: DrawnGraph }).graph;
  const params = { identifier: workflow.identifier, version: String(workflow.version) };
  const read = useRead('getWorkflowVersion', { params } as never, { isOn: given === undefined });
  const definition = useMemo((): Definition | undefined => {
    if (given) return fromGraph(workflow.identifier, given);
    return read.data && toDefinition(read.data.workflow);
  }, [given, read.data, workflow.identifier]);
  // the last run of a node says how it went
  const byNode = useMemo(() => new Map(nodeRuns.map((each) => [each.node.identifier, each])), [nodeRuns]);
  const taken = useMemo(() => takenWays(run), [run]);
  if (read.error && errorStatus(read.error) === 404) {
    return <Text c="dimmed">{t('You may see this run, but not the workflow it belongs to.')}</Text>;
  }
  if (read.error) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />;
  if (!definition) return <TextSkeleton lines={8} />;
  return (
    <Canvas
      label={t('Graph of the run')}
      definition={definition}
      selected={selected}
      onSelect={(node) => {
        const nodeRun = byNode.get(node);
        if (nodeRun) onSelect(nodeRun.identifier);
      }}
      isTaken={(source, target) => taken.has(`${source}\n${target}`)}
      stateAt={({ identifier }) => cardState(byNode.get(identifier), identifier === run.trigger.identifier)}
    />
  );
}

function cardState(nodeRun: NodeRun | undefined, isStart: boolean): CardState {
  if (isStart) return { look: 'done', said: t('started the run') };
  if (!nodeRun) return { look: 'off', said: t('not reached') };
  if (nodeRun.status === 'IN_PROGRESS') return { look: 'now', said: t('in progress') };
  return nodeRun.result === 'SUCCESS'
    ? { look: 'done', said: t('done') }
    : { look: 'failed', said: t('failed or cancelled') };
}

/** The connections between steps that followed each other. */
function takenWays({ trigger, nodeRuns }: WorkflowRun): ReadonlySet<string> {
  const path = [trigger.identifier, ...nodeRuns.map(({ node }) => node.identifier)];
  return new Set(path.slice(1).map((each, index) => `${path[index]}\n${each}`));
}

function fromGraph(identifier: string, { nodes, connections }: DrawnGraph): Definition {
  return {
    identifier,
    nodes: nodes.map(({ type, ...node }) => ({ ...node, config: { type } })),
    connections,
  };
}
