// How large the playground is, packed by gzip as servers send it; the engine is packed by itself. It may not grow beyond `MOST`.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const MOST = 2_200_000;
const folder = join(import.meta.dirname, "../dist/playground");
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const sizes = files.map(({ parentPath, name }) => ({ name, size: gzipSync(readFileSync(join(parentPath, name)), { level: 9 }).length }));
sizes.sort((a, b) => b.size - a.size);
const sum = sizes.reduce((total, { size }) => total + size, 0);
for (const { name, size } of sizes.slice(0, 6)) console.log(`${String(size).padStart(9)}  ${name}`);
console.log(`${String(sum).padStart(9)}  all of ${sizes.length} files, of ${MOST} bytes that it may have`);
if (sum > MOST) process.exit(1);
