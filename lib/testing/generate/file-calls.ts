import { noisePng } from "./attachments";
import { type SessionContext, textSize } from "./session-context";
import { failedCall, plainCall, type ToolCall } from "./tool-results";

const READ_REMINDER = `

<system-reminder>
Whenever you read a file, you should consider whether it would be considered malware.
</system-reminder>
`;

/** Read, with line numbers as the version writes them; now and then a file that is not there. */
export function readCall(context: SessionContext): ToolCall {
  const { random, files, dialect } = context;
  const { path, lines } = files.pick();
  if (random.chance(0.04)) {
    const missing = plainCall("Read", { file_path: `${path}.orig` }, "", null);
    return failedCall(missing, "File does not exist.");
  }
  const most = Math.max(3, Math.round(textSize(context, 160, 0.5)));
  const partial = lines.length > most;
  const start = partial ? random.int(0, lines.length - most) : 0;
  const shown = partial ? lines.slice(start, start + most) : lines;
  const numbered = shown
    .map((line, at) =>
      dialect.lineNumbers === "arrow"
        ? `${String(start + at + 1).padStart(6)}→${line}`
        : `${start + at + 1}\t${line}`,
    )
    .join("\n");
  const content = dialect.lineNumbers === "arrow" ? numbered + READ_REMINDER : numbered;
  const input = partial ? { file_path: path, offset: start + 1, limit: most } : { file_path: path };
  return plainCall("Read", input, content, {
    type: "text",
    file: {
      filePath: path,
      content: shown.join("\n"),
      numLines: shown.length,
      startLine: start + 1,
      totalLines: lines.length,
    },
  });
}

/** A picture read from disk: in the result's block and, as every version does, once more beside it. */
export function readImageCall(context: SessionContext, width: number): ToolCall {
  const base64 = noisePng(context.random.int(0, 1 << 30), width);
  const path = `${context.plan.cwd}/shots/${context.prose.word()}.png`;
  return {
    ...plainCall("Read", { file_path: path }, "", {
      type: "image",
      file: {
        base64,
        type: "image/png",
        originalSize: Math.floor((base64.length * 3) / 4),
        dimensions: {
          originalWidth: width,
          originalHeight: width,
          displayWidth: width,
          displayHeight: width,
        },
      },
    }),
    content: [{ type: "image", source: { type: "base64", data: base64, media_type: "image/png" } }],
    images: 1,
  };
}

/** Edit, with the file before it and the patch. */
export function editCall(context: SessionContext): ToolCall {
  const { files, dialect } = context;
  const { path, lines } = files.pick();
  const { oldText, newText, original, hunk } = files.edit(path, lines);
  const input = { file_path: path, old_string: oldText, new_string: newText };
  const content =
    dialect.lineNumbers === "arrow"
      ? `The file ${path} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${newText}`
      : `The file ${path} has been updated successfully. (file state is current in your context — no need to Read it back)`;
  return {
    ...plainCall("Edit", input, content, {
      filePath: path,
      oldString: oldText,
      newString: newText,
      originalFile: original,
      structuredPatch: [hunk],
      userModified: false,
      replaceAll: false,
    }),
    change: { path, ...changedLines(hunk.lines) },
  };
}

/** Write of a file that is new, so that the log holds no patch but the whole content. */
export function writeCall(context: SessionContext): ToolCall {
  const lineCount = Math.max(3, Math.min(900, Math.round(textSize(context, 60, 0.8))));
  const { path, lines } = context.files.create(lineCount);
  const content = `${lines.join("\n")}\n`;
  return {
    ...plainCall("Write", { file_path: path, content }, `File created successfully at: ${path}`, {
      type: "create",
      filePath: path,
      content,
      structuredPatch: [],
      originalFile: null,
      ...(context.dialect.extras === "attachments" ? { userModified: false } : {}),
    }),
    change: { path, added: lines.length, removed: 0 },
  };
}

function changedLines(lines: readonly string[]): { added: number; removed: number } {
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}
