import type { AnswerOf } from '../../api/api.ts';

type Page = AnswerOf<'getPage'>['page'];
/** What people write of a page. */
export type WrittenPage = Omit<Page, 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy' | 'visibility'>;

/** The page as it is written back: without what the server says of it by itself. */
export function toWrittenPage(page: Page): WrittenPage {
  const { createdAt, createdBy, updatedAt, updatedBy, visibility, sidebar, ...written } = page;
  return { ...written, ...(sidebar === undefined || sidebar === 'catalog' ? {} : { sidebar }) };
}
