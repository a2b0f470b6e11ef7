import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';

/** A jq expression; syntax errors show below while typing. */
export function JqField({
  label,
  isLabelHidden,
  description,
  placeholder,
  value,
  error,
  onChange,
}: {
  label: string;
  isLabelHidden?: boolean;
  description?: string;
  placeholder: string;
  value: string;
  /** The server's error. */
  error?: string | undefined;
  onChange: (value: string) => void;
}) {
  const problem = useJqProblem(value);
  return (
    <TextInput
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      {...(description ? { description } : {})}
      placeholder={placeholder}
      value={value}
      error={problem ?? error}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** The syntax error of the expression, worded like the server's; jq loads when the first such field is shown. */
function useJqProblem(expression: string): string | undefined {
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isLatest = true;
    void import('@portolan/jq').then(({ compile, replaceSingleQuotes }) => {
      if (!isLatest) return;
      try {
        if (expression.trim() !== '') compile(replaceSingleQuotes(expression));
        setProblem(undefined);
      } catch (error) {
        setProblem((error as Error).message);
      }
    });
    return () => {
      isLatest = false;
    };
  }, [expression]);
  return problem;
}
