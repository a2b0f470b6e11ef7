import { Button, type ButtonProps } from '@mantine/core';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';

interface ShowMoreProps extends Pick<ButtonProps, 'mt' | 'size'> {
  /** How many are not shown yet. */
  readonly left: number;
  /** Their name in the plural, where the screen lists several kinds. */
  readonly what?: string;
  readonly onMore: () => void;
}

/** Shows the next step of a long list; nothing at its end. */
export function ShowMore({ left, what, onMore, ...look }: ShowMoreProps) {
  if (left <= 0) return null;
  return (
    <Button variant="default" {...look} onClick={onMore}>
      {t('Show more{word} ({left})', { word: what ? ` ${what}` : '', left: left.toLocaleString(locale) })}
    </Button>
  );
}
