import { Text } from '@mantine/core';
import { CopyValue } from '../../kit/copy-value.tsx';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import classes from './ai.module.css';

const charactersMax = 20_000;

/** Output of a program: indented if JSON, cut if very long. Copying takes the whole text. */
export function BoundedText({ text, label }: { text: string; label: string }) {
  const pretty = indented(text);
  const isCut = pretty.length > charactersMax;
  return (
    <div className={classes.bounded}>
      <div className={classes.boundedHead}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <CopyValue value={text} what={label.toLowerCase()} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys */}
      <pre className={classes.pre} tabIndex={0} dir="ltr">
        {isCut ? pretty.slice(0, charactersMax) : pretty}
      </pre>
      {isCut && (
        <Text size="xs" c="dimmed">
          {t('The first {charactersMax} of {count} characters. Copying takes all.', {
            charactersMax: charactersMax.toLocaleString(locale),
            count: pretty.length.toLocaleString(locale),
          })}
        </Text>
      )}
    </div>
  );
}

function indented(text: string): string {
  if (text.length > 200_000 || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
