import { ButtonLink } from '../../../frame/links.tsx';
import { t } from '../../../kit/translate.ts';
import { NeedsOperation } from '../../../parts/access/needs.tsx';
import classes from '../list.module.css';
import { templates } from './templates.ts';

/** Workflows that people build first, each a beginning. */
export function TemplateCards() {
  return (
    <ul className={classes.templates} aria-label={t('Templates')}>
      {templates.map(({ key, title, description }) => (
        <li key={key} className={classes.template}>
          <strong>{title}</strong>
          <p>{description}</p>
          <NeedsOperation operation="createWorkflow" to={t('create workflows')}>
            <ButtonLink to="/workflows/new" search={{ template: key }} size="xs" variant="default" w="fit-content">
              {t('Begin with {title}', { title })}
            </ButtonLink>
          </NeedsOperation>
        </li>
      ))}
    </ul>
  );
}
