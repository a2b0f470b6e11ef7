import { BothVersions } from '../../kit/both-versions.tsx';
import { t } from '../../kit/translate.ts';
import { beginDraft, type Draft, describeChanges, type Page } from './page-draft.ts';
import { nameOfWidget } from './widget-kinds.ts';

/** The two versions of a page, each as a list of changes. */
export function ConflictView({
  base,
  mine,
  theirs,
  onKeepMine,
  onTakeTheirs,
}: {
  base: Draft;
  mine: Draft;
  theirs: Page;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}) {
  return (
    <BothVersions
      what={t('this page')}
      theirs={<Changes all={describeChanges(base, beginDraft(theirs), nameOfWidget)} />}
      mine={<Changes all={describeChanges(base, mine, nameOfWidget)} />}
      saved={theirs}
      onKeepMine={onKeepMine}
      onTakeTheirs={onTakeTheirs}
    />
  );
}

const shownMax = 20;

function Changes({ all }: { all: readonly string[] }) {
  return (
    <ul>
      {all.length === 0 && <li>{t('No change that shows')}</li>}
      {all.slice(0, shownMax).map((each) => (
        <li key={each}>{each}</li>
      ))}
      {all.length > shownMax && <li>{t('and {value} more', { value: all.length - shownMax })}</li>}
    </ul>
  );
}
