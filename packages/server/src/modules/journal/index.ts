export { writeRecords } from './write-records.ts';
