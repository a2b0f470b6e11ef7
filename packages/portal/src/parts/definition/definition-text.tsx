import { Alert, Group, Text } from '@mantine/core';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { type Issue, readIssues } from '../../kit/refusal.ts';
import { t } from '../../kit/translate.ts';
import classes from './definition.module.css';
import type { Definition } from './use-definition.ts';

/** A definition as JSON, beside its form. */
export function DefinitionText<Draft>({ definition, label }: { definition: Definition<Draft>; label: string }) {
  const { text, textProblem, write } = definition;
  return (
    <Group gap="xs" align="flex-start">
      <div className={classes.whole}>
        <CodeEditor language="json" label={label} value={text} minHeight={320} maxHeight={640} onChange={write} />
      </div>
      <Text size="sm" c={textProblem === undefined ? 'dimmed' : 'var(--danger)'} role="status">
        {textProblem ?? t('The same as the form. What is changed here is shown there.')}
      </Text>
    </Group>
  );
}

/** The server's refusal with every issue and its path. */
export function Refused({ error }: { error: Error | null | undefined }) {
  if (!error) return null;
  return (
    <Alert color="red" role="alert" title={t('Not saved')}>
      {error.message}
      <IssueList issues={readIssues(error)} />
    </Alert>
  );
}

/** Templates that the server stores but cannot evaluate. */
export function Unreadable({ issues }: { issues: readonly Issue[] }) {
  return <IssueList issues={issues} label={t('Templates that will fail')} className={classes.problems} />;
}

function IssueList({
  issues,
  label,
  className,
}: {
  issues: readonly Issue[];
  label?: string;
  className?: string | undefined;
}) {
  if (issues.length === 0) return null;
  return (
    <ul {...(label ? { 'aria-label': label } : {})} className={className}>
      {issues.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  );
}
