import { encodingRows } from './answers/encoding.ts';
import { framingRows } from './answers/framing.ts';
import { headerRows } from './answers/headers.ts';
import { jsonRows } from './answers/json.ts';
import { sizeRows } from './answers/size.ts';
import { testRows } from './frame/test-rows.ts';

testRows('answers of a hostile size', sizeRows);
testRows('answers of a hostile framing', framingRows);
testRows('answers of a hostile encoding', encodingRows);
testRows('answers of hostile JSON', jsonRows);
testRows('answers with hostile headers', headerRows);
