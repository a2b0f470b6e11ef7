import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { CodeEditor } from '../../../kit/code-editor.tsx';
import { readLocated } from '../../../kit/located-text.ts';
import { t } from '../../../kit/translate.ts';
import type { Fault } from '../document/faults.ts';
import { FaultList } from './fault-list.tsx';
import type { WorkflowDraft } from './use-workflow-draft.ts';

/** The workflow as JSON, with its faults at their places. */
export function JsonView({ definition, faults }: { definition: WorkflowDraft; faults: readonly Fault[] }) {
  const { text, textProblem, write } = definition;
  const problems = useMemo(() => {
    if (faults.length === 0 || textProblem !== undefined) return [];
    const located = readLocated(text, 'json');
    return faults.map(({ path, message }) => {
      const places = path.split('/').slice(1);
      const { from, to } = located.placeOf(places.map((each) => (/^\d+$/.test(each) ? Number(each) : each)));
      return { from, to, message };
    });
  }, [text, textProblem, faults]);
  return (
    <>
      <CodeEditor
        language="json"
        label={t('Workflow as JSON')}
        value={text}
        minHeight={400}
        maxHeight={720}
        problems={problems}
        onChange={write}
      />
      <Text size="sm" c={textProblem === undefined ? 'dimmed' : 'var(--danger)'} role="status">
        {textProblem ?? t('The same as the list and the canvas. What is changed here is shown there.')}
      </Text>
      <FaultList faults={faults} />
    </>
  );
}
