// Plays a whole game with the generated client: node play.js http://127.0.0.1:8080
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Turn = components["schemas"]["Turn"];

const [, , baseUrl] = process.argv;
const client = createClient<paths>({ baseUrl });

function told<Data>(answer: { data?: Data; error?: unknown }): Data {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const game = told(
  await client.POST("/v1/games", {
    body: {
      game: "sagoleken",
      mode: "virtual",
      seats: [{ name: "Anna" }, { name: "Bo" }],
    },
  }),
);
const path = { id: game.id };

let turn: Turn = game.turn;
let moves = 0;
let again = async (): Promise<{ error?: { code: string } }> => ({});
while (turn.kind === "seat") {
  const { seat } = turn;
  const token = game.seats[seat]?.token;
  const headers = { Authorization: `Bearer ${token}` };
  const legal = told(await client.GET("/v1/games/{id}/legal-moves", { params: { path }, headers }));
  const chosen = legal.moves[Math.floor(Math.random() * legal.moves.length)];
  if (chosen === undefined) throw new Error("a seat on turn has a legal move");
  const body = { move: chosen.move };
  const move = () => client.POST("/v1/games/{id}/moves", { params: { path }, headers, body });
  const recorded = told(await move());
  again = move;
  turn = recorded.turn;
  moves += 1;
}

const headers = { Authorization: `Bearer ${game.host_token}` };
const over = told(await client.GET("/v1/games/{id}", { params: { path }, headers }));
if (over.status !== "over" || !over.result) throw new Error(`the game is ${over.status}`);
const refused = await again();
if (refused.error?.code !== "illegal_move") throw new Error("a move after the end is refused");

const record = told(await client.GET("/v1/games/{id}/record", { params: { path }, headers }));
const judged = told(await client.POST("/v1/replays", { body: record }));
if (judged.verdict !== "legal" || judged.turn.kind !== "over") throw new Error(judged.verdict);
console.log(`TypeScript: over after ${moves} moves, won by ${over.result.winners}`);
