import { t } from '../kit/translate.ts';
/** Who has to approve, above the list of their names. */
export function approversInWords(type: string | undefined, count: number): string {
  if (count === 0) return t('Needs approval by an administrator.');
  return type === 'ALL' ? t('Needs approval by all of:') : t('Needs approval by one of:');
}
