import { t } from '../../kit/translate.ts';
import { joinNames, useAdministrators } from './administrators.ts';

/** Names the administrators, as far as the user may see them. */
export function WhoCanGrant() {
  const administrators = useAdministrators();
  if (administrators.length === 0) return <>{t('An administrator can give you access.')}</>;
  return (
    <>{t('Administrators can give you access: {administrators}.', { administrators: joinNames(administrators) })}</>
  );
}
