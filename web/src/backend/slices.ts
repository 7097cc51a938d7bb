// Cuts a file of PGN into slices between games, so that workers can search them side by side. A file is never read as a whole.

/** The first byte of a tag. A file can be cut before a line with a tag that does not follow another tag. */
const TAG = 0x5b; // [
const LINE_FEED = 10;
const RETURN = 13;

/** The number of bytes that are read at a time to find the next game. */
const WINDOW = 65536;

export interface SliceSizes {
  /** The bytes of the first slice. It is small so that the first games are found soon. */
  first: number;
  /** The most bytes of a slice. Up to this, each is twice as large as the one before. */
  most: number;
}

export const SIZES: SliceSizes = { first: 1 << 17, most: 1 << 22 };

/** Yields the slices of a file in order. Together they cover the whole file. */
export async function* slicesOf(file: Blob, sizes: SliceSizes = SIZES): AsyncGenerator<Blob> {
  let from = 0;
  let size = sizes.first;
  while (from < file.size) {
    const to = from + size < file.size ? await nextGame(file, from + size) : file.size;
    yield file.slice(from, to);
    from = to;
    size = Math.min(2 * size, sizes.most);
  }
}

/** Returns the offset of the first game that begins at or after `offset`, or the end of the file. */
async function nextGame(file: Blob, offset: number): Promise<number> {
  // The end of the line before is needed to see whether the tags begin here.
  for (let from = Math.max(0, offset - 1); from < file.size; ) {
    const bytes = new Uint8Array(await file.slice(from, from + WINDOW).arrayBuffer());
    const start = startOfTags(bytes, from + bytes.length === file.size);
    if (start !== undefined) {
      if (!(await isInComment(file, from + start))) return from + start;
      from += start + 1;
      continue;
    }
    if (from + bytes.length >= file.size) break;
    // The last line may continue in the next window. The line before it is needed, too.
    from += Math.max(1, beforeLastLines(bytes));
  }
  return file.size;
}

/** Returns whether the last brace before an offset opens a comment. Looks back one window. */
async function isInComment(file: Blob, offset: number): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(Math.max(0, offset - WINDOW), offset).arrayBuffer());
  return bytes.lastIndexOf(0x7b) > bytes.lastIndexOf(0x7d);
}

/** Returns where in a window a line with a tag first follows a line without one. */
function startOfTags(bytes: Uint8Array, isEnd: boolean): number | undefined {
  let before: "none" | "tag" | "other" = "none";
  for (let line = 0; line < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, line);
    if (end < 0 && !isEnd) return undefined;
    const isWhole = line > 0;
    const isTag = isWhole && isTagLine(bytes, line, end < 0 ? bytes.length : end);
    if (isTag && before === "other") return line;
    // The first line of a window may be incomplete.
    before = isWhole ? (isTag ? "tag" : "other") : "none";
    if (end < 0) return undefined;
    line = end + 1;
  }
  return undefined;
}

/** Returns whether a line looks like `[Name "…"]`. `[%clk` and `[1]` in comments do not. */
function isTagLine(bytes: Uint8Array, from: number, to: number): boolean {
  const second = bytes[from + 1] ?? 0;
  const isLetter = (second >= 65 && second <= 90) || (second >= 97 && second <= 122);
  if (bytes[from] !== TAG || !isLetter) return false;
  const last = bytes[to - 1] === RETURN ? to - 2 : to - 1;
  return bytes[last] === 0x5d && bytes.subarray(from, to).includes(0x22);
}

/** Returns where the last two lines of a window begin. */
function beforeLastLines(bytes: Uint8Array): number {
  const last = bytes.lastIndexOf(LINE_FEED);
  const before = last > 0 ? bytes.lastIndexOf(LINE_FEED, last - 1) : -1;
  return before > 0 ? before : last > 0 ? last : bytes.length;
}
