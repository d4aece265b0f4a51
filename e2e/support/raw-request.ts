import { connect } from "node:net";

/** A response as received; header names in lower case, and for repeated headers the last value. */
export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

/**
 * Sends raw bytes to a server and resolves to its response, for requests that `fetch` can't send: two Host headers,
 * none, an absolute URL. Status 0 means that the connection was closed without a response.
 */
export function rawRequest(port: number, request: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    let text = "";
    socket.setEncoding("latin1").setTimeout(10_000);
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("timeout", () => socket.destroy(new Error(`No answer to ${request.slice(0, 200)}`)));
    socket.on("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code !== "ECONNRESET") reject(cause);
    });
    socket.on("close", () => resolve(parseAnswer(text)));
  });
}

/** A GET with exactly these header lines, plus the one that closes the connection. */
export const get = (target: string, headers: string[], version = "1.1") =>
  [`GET ${target} HTTP/${version}`, ...headers, "Connection: close", "", ""].join("\r\n");

function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status: Number(statusLine.split(" ")[1] ?? 0), headers, body: rest.join("\r\n\r\n") };
}
