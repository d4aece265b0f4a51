import { parentPort } from "node:worker_threads";
import { answerTasks } from "@/lib/server/runtime/answer-tasks";
import { type SearchAnswer, SearchDesk, type SearchTask } from "./search-worker";

const desk = new SearchDesk();

if (parentPort) answerTasks<SearchTask, SearchAnswer, never>(parentPort, (task) => desk.do(task));
