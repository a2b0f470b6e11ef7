import type { AnswerOf } from '../../api/api.ts';

type Page = AnswerOf<'getPage'>['page'];
/** The writable part of a page. */
export type WrittenPage = Omit<Page, 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy' | 'visibility'>;

/** The writable part of a page, without the fields that the server adds. */
export function toWrittenPage(page: Page): WrittenPage {
  const { createdAt, createdBy, updatedAt, updatedBy, visibility, sidebar, ...written } = page;
  return { ...written, ...(sidebar === undefined || sidebar === 'catalog' ? {} : { sidebar }) };
}
