import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { t } from '../../kit/translate.ts';
import { readPattern } from './agent-values.ts';
import classes from './agents.module.css';
import { matchPattern } from './tool-patterns.ts';

/** The tool patterns of an agent, tried against the tools while typing. */
export function ToolField({
  patterns,
  isAutomatic,
  issues,
  onChange,
}: {
  patterns: readonly string[];
  isAutomatic: boolean;
  /** The server's messages by pattern index. */
  issues: ReadonlyMap<number, string>;
  onChange: (patterns: readonly string[]) => void;
}) {
  const tools = useRead('listAiTools');
  const names = useMemo(() => (tools.data?.tools ?? []).map(({ name }) => name).toSorted(), [tools.data]);
  const matches = useMemo(() => patterns.map((pattern) => matchPattern(pattern, names)), [patterns, names]);
  const selected = new Set(matches.flatMap((match) => ('names' in match ? match.names : [])));
  const actions = [...selected].filter((name) => name.startsWith('run_'));
  const write = (index: number, text: string) =>
    onChange(patterns.map((pattern, each) => (each === index ? text : pattern)));
  const add = (pattern: string) => {
    if (!patterns.includes(pattern)) onChange([...patterns, pattern]);
  };
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <Text component="legend" fw={500} size="sm" mb={4}>
        {t('Tools')}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {t(
          'Regular expressions, matched from the start of a tool’s name; the end is open, so end with $ to mean one tool. What the person who asks may not use stays out.',
        )}
      </Text>
      <Stack gap={4}>
        {patterns.map((pattern, index) => {
          const match = matches[index];
          const problem = issues.get(index) ?? (match && 'problem' in match ? match.problem : undefined);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pattern has no name but its place
            <div key={index} className={classes.pattern}>
              <TextInput
                aria-label={t('Pattern {value}', { value: index + 1 })}
                value={pattern}
                onChange={({ currentTarget }) => write(index, currentTarget.value)}
                error={problem && t('Not a valid expression: {problem}', { problem })}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                spellCheck={false}
              />
              <ActionIcon
                size={36}
                aria-label={t('Remove pattern {value}', { value: index + 1 })}
                onClick={() => onChange(patterns.filter((_, each) => each !== index))}
              >
                <X size={16} />
              </ActionIcon>
              {match && 'untried' in match && (
                <span className={classes.matches}>
                  {t('Only the server can try this one: it {untried}', { untried: match.untried })}
                </span>
              )}
              {match && 'names' in match && tools.data && (
                <details className={classes.matches}>
                  <summary>
                    {match.names.length === 0
                      ? t('Matches none of your tools')
                      : t('Matches {count} of {count2} tools', { count: match.names.length, count2: names.length })}
                  </summary>
                  <ul>
                    {match.names.map((name) => (
                      <li key={name}>
                        <code>{name}</code>
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </div>
          );
        })}
      </Stack>
      <Group gap="xs" mt={4}>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => onChange([...patterns, ''])}
        >
          {t('Pattern')}
        </Button>
        <Button size="xs" variant="subtle" onClick={() => add(readPattern)}>
          {t('Reads')}
        </Button>
        <Button size="xs" variant="subtle" onClick={() => add('^run_.*')}>
          {t('All actions')}
        </Button>
      </Group>
      <Text size="sm" mt="xs" role="status">
        {patterns.length === 0
          ? t('Without a pattern the agent has no tools.')
          : tools.data &&
            t('Together: {size} tools, {count} of them actions.', { size: selected.size, count: actions.length })}
      </Text>
      {tools.error && (
        <Alert color="yellow" mt="xs" title={t('The tools could not be listed')}>
          {tools.error.message}
        </Alert>
      )}
      {isAutomatic && actions.length > 0 && (
        <div className={classes.unattended} role="note">
          <Text size="sm" fw={600}>
            {t('These run at once, without anybody’s approval:')}
          </Text>
          <Text size="sm">{actions.map((name) => name.slice('run_'.length)).join(', ')}</Text>
        </div>
      )}
    </fieldset>
  );
}
