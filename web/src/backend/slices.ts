// Cuts a file of PGN into slices between games, so that workers can search them side by side. A file is never read as a whole.

/** Where a game may be cut off from the one before: a line of its tag section that follows anything but another tag. */
const TAG = 0x5b; // [
const LINE_FEED = 10;
const RETURN = 13;

/** How much is read at a time to find the next game. */
const WINDOW = 65536;

export interface SliceSizes {
  /** The first slice is small, so that the first games are found soon. */
  first: number;
  /** Each is twice as large as the one before, up to this. */
  most: number;
}

export const SIZES: SliceSizes = { first: 1 << 17, most: 1 << 22 };

/** The slices of a file, in order; together they are all of it. */
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

/** The offset at which the first game begins at or behind an offset; the end of the file if there is none. */
async function nextGame(file: Blob, offset: number): Promise<number> {
  // A line before is needed to see whether the tags begin with this one.
  for (let from = Math.max(0, offset - 1); from < file.size; ) {
    const bytes = new Uint8Array(await file.slice(from, from + WINDOW).arrayBuffer());
    const start = startOfTags(bytes, from + bytes.length === file.size);
    if (start !== undefined) {
      if (!(await isInComment(file, from + start))) return from + start;
      from += start + 1;
      continue;
    }
    if (from + bytes.length >= file.size) break;
    // The last line may go on in the next window, and needs the one before it.
    from += Math.max(1, beforeLastLines(bytes));
  }
  return file.size;
}

/** Whether the last brace before an offset opens a comment, as far back as comments reach. */
async function isInComment(file: Blob, offset: number): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(Math.max(0, offset - WINDOW), offset).arrayBuffer());
  return bytes.lastIndexOf(0x7b) > bytes.lastIndexOf(0x7d);
}

/** Where in a window a line with a tag follows a line without one. */
function startOfTags(bytes: Uint8Array, isEnd: boolean): number | undefined {
  let before: "none" | "tag" | "other" = "none";
  for (let line = 0; line < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, line);
    if (end < 0 && !isEnd) return undefined;
    const isWhole = line > 0;
    const isTag = isWhole && isTagLine(bytes, line, end < 0 ? bytes.length : end);
    if (isTag && before === "other") return line;
    // Of the first line only its end is known.
    before = isWhole ? (isTag ? "tag" : "other") : "none";
    if (end < 0) return undefined;
    line = end + 1;
  }
  return undefined;
}

/** Whether a line is `[Name "…"]`, as far as it takes to tell it from a comment: `[%clk` and `[1]` are none. */
function isTagLine(bytes: Uint8Array, from: number, to: number): boolean {
  const second = bytes[from + 1] ?? 0;
  const isLetter = (second >= 65 && second <= 90) || (second >= 97 && second <= 122);
  if (bytes[from] !== TAG || !isLetter) return false;
  const last = bytes[to - 1] === RETURN ? to - 2 : to - 1;
  return bytes[last] === 0x5d && bytes.subarray(from, to).includes(0x22);
}

/** Where the last two lines of a window begin. */
function beforeLastLines(bytes: Uint8Array): number {
  const last = bytes.lastIndexOf(LINE_FEED);
  const before = last > 0 ? bytes.lastIndexOf(LINE_FEED, last - 1) : -1;
  return before > 0 ? before : last > 0 ? last : bytes.length;
}
