//! Glances leave positions and games out, without a difference in the answers.

use skewer::output::FormatName;
use skewer::query;

use super::{assert_same, assert_same_in, found, found_with, source, switched_off};

#[test]
fn moves_and_what_they_leave_are_known_before_they_are_tried() {
    for body in [
        "A--",
        "N--d5",
        "[QRBN]--[a-h4-5](check)",
        "P--e4(p--e5)",
        "P--a-h8",
        "[QR]|Na-h1--d-e4",
        "{Q|k}--{[qrbn]|_}(check)",
        "flipcolor {Kg1|Ke1}--",
        "{wtm Q|R}--[qrbnp]",
        "--=Q(check)",
        "A[x]a(a[x]A)",
        "P[x]p",
        "K--g1",
        "R--f1",
        "K--e1-8",
        "k|r--c-d8(not check)",
        "[QRBNP]--[qrbnp](k--to)",
        "move from N to d-e5",
        "move from [qr]",
        "move to A capture A",
        "move from P capture [qrbn]",
        "move capture p to a-h3-6 from P",
        "move from P to a-h8",
        "move promote [Qq]",
        "move from K to g1 castle",
        "move from R castle",
        "move to d-e4-5 secondary",
        "move enpassant from p",
        "move previous from N to c-f3-6",
        "move null",
        "x∊[QR] {move from x to a-h7-8}",
        "previous P--e4(btm)",
        "previous [QRBN][x]a-h4-8(check)",
        "previous p[x]P",
        "previous K--g1 or previous --=Q",
        "x∊[QRBN] {previous x--(check)}",
        "x∊[QRBNP] {previous A--x(x)}",
        "x∊[KQRBN] {previous .--x x attacks a}",
        "ply<=6",
        "ply==4 [Aa]--",
        "3<=ply ply<9 wtm",
        "movenumber<=2",
        "movenumber>2 check",
        "movenumber==3 btm",
        "flipcolor {Balance=power A-power a A--[qrbn](power A-power a>Balance)}",
        "flipcolor {Balance=power A-power a N--([pb]--to(A--(power A-power a<=Balance)))}",
        "path quiet A--[qrbnp] [a]--",
        "path quiet (Place=to wtm)? [KQ]--a-h1-8(check) --",
        "if wtm then K--g1 else k--g8",
        "parent:{A--a} check",
        "child:mate or child:child:check",
    ] {
        assert_same("", body, "");
    }
}

#[test]
fn what_is_behind_values_of_variables_is_known() {
    for body in [
        "Power=power A Q wtm Power>20",
        "Power=0 x∊[QRBNP] {Power+=power x} Power<12 k",
        "Text=str(ply) Text==\"7\" check",
        "Here=currentposition find quiet {check currentposition!=Here} Q",
        "Squares=R|r Squares|=Q #Squares>2 not check",
        "function Near(s) {k attacks s} Near(Q) or Near(R) wtm",
        "function Near(s) {Place=k|K s attacks Place} flipcolor {Near(Q) Near(R)}",
        "Number=#Q+1 Number<8 up Number 7 P & p",
        "find quiet {check wtm} find quiet 2 100 {Q}",
        "not find quiet {mate} find <-- quiet {castle}",
        "find quiet all wtm>3 R attacks k",
    ] {
        assert_same("", body, "");
        assert_same("flipcolor", body, "");
    }
}

#[test]
fn what_a_loop_asks_of_its_squares_is_known() {
    for body in [
        "x∊[RB] {y∊[qrbn] {x attacks y not a attacks y}}",
        "x∊N {Forked=y∊[qrk] {x attacks y} #Forked>1}",
        "x∊Nd4-5 {Place=x k attacks Place}",
        "x∊N {x--({x & _})}",
        "x∊[QR] {x--(x==_)}",
        "x∊R {child:{x & [Aa]}}",
        "x∊p {find quiet {x & [QRBN]}}",
        "◭x∊[NB] {x--(x attacks k)}",
        "◭x∊P {find quiet {x & a-h8}}",
        "◭x∊P {find quiet {x & Q}}",
        "x∊[Pp] {y∊x {y attacks [Kk]}}",
        "∀x∊[RB] {x attacks [Kk]}",
        "∀x∊[qn] {y∊[QRBN] {y attacks x}} q",
        "not x∊[QR] {y∊[qr] x->y}",
        "x∊[NB] {y∊[RQ] {x|y--[qrbn](not check)}}",
        "x∊[NB] {y∊[rq] {k|y attackedby x|Q}}",
    ] {
        assert_same("", body, "");
    }
}

#[test]
fn what_a_set_takes_is_known_where_it_cannot_be_asked_for() {
    for body in [
        // Sets that loops make, and names for sets.
        "flipcolor {wtm x∊a {Prey=y∊[qrbn] {a->y==x z∊[QRBNP]->y {power z<=power y}} Prey>=2 [QRBNP]->Prey}}",
        "flipcolor {btm x∊[rbn] {Near=y∊A->x {power y<power x} Near not a->x}}",
        "x∊[QRB] {y∊[qr] {x->y z∊[qrbn] {x->y->z power y>=power z}}}",
        "x∊A {Seen=[kqrb]<-x #Seen>=2 legal x--}",
        "x∊A {Seen=a<-x Unseen=~Seen & a #Unseen<14 legal x--Seen}",
        "Pair={R|r} & y∊A {legal y--} Pair->a",
        "Far=up 1 3 P #Far>6 legal --Far & a",
        "Taken=legal --a Taken>1 A->Taken",
        // The name of a set at another position stands for squares that have other contents here.
        "Home=[KQ] child:{Home & [Aa] legal --}",
        "x∊[NB] {Home=x x--(#(Home & _)==1 legal --)}",
        "Home=Q|q find quiet {Home & a legal --Home}",
        "parent:{Home=[RB] legal Home--} A->k",
        // Here more squares give fewer matches.
        "x∊A {not {y∊x->a {legal x--y}}}",
        "x∊A {~(x->a) & [kq] legal x--}",
        "x∊[RQ] {x->a==y∊a {legal --y}}",
        "x∊[RQ] {#(x->a)<2 legal x--}",
        "x∊a {#(A->x)==#(a->x) legal --x}",
        // Names that use other names, and a choice between sets.
        "One=P|N Two=One|B Three=Two->a Three>2 legal Three--a",
        "Some={if wtm then [RQ] else [rq]} x∊Some {legal x-- or x->.}",
        "flip {x∊[RN]a-d1-4 {Goal=up 1 4 x Goal & a legal x--Goal}}",
        "piece x in [QR] {piece y in a {x->y pieceid x<pieceid y}}",
        "piece x in R {Place=x child:{x & ~Place} x->[qrk]}",
        "x∊A {pin from a through x to K legal x--}",
    ] {
        assert_same("", body, "");
    }
}

#[test]
fn what_copies_ask_for_either_side_to_move_is_asked_once() {
    for body in [
        "flipcolor {wtm x∊[QRBN] {#(x->[kqrbn])>=2 not a->x legal x--}}",
        "flipcolor {btm x∊[nbr]a-h3-5 {x->[KQR] A->x legal x--a-h1-4}}",
        "flipcolor {btm x∊[rb] {ray right (x [QRBNP]) A->x {down 1 2 x} & p legal x--}}",
        "flipcolor {wtm ray (R [qrbnp] k) or ray diagonal (B [qrbnp] k) [RB]--}",
        "flipcolor {wtm x∊passedpawns&P {R->x or ray up (R x)} legal P--a-h6-7}",
        "flipcolor {btm power A>power a #(A attacks a)>3 a->A move from [qr]}",
        "flipcolor {wtm check x∊A {x->k #(x->a)>1 legal --x}}",
        "flipcolor {wtm #(A attacks k)>1 child:{[qr]--}}",
        "flipcolor flipvertical {wtm x∊N {#(x->[kqrbn])>=2 legal x--}}",
        "rotate90 {wtm x∊A {#(x->[kqrbn])>=2 legal x--}}",
        "{wtm x∊N {#(x->[kqrb])>=2 legal x--}} or {btm x∊n {#(x->[KQRB])>=2 legal x--}}",
        "{wtm x∊R {#(x->[kqrb])>=2 legal x--}} or {btm x∊n {#(x->[KQRB])>=2 legal x--}}",
        "{wtm #(A->a-h5-8)>9 legal A--a} or {btm #(a->a-h5-8)>9 legal a--A}",
    ] {
        assert_same("", body, "");
        assert_same_in("cql(input chess960.pgn)", "", body, "");
    }
}

#[test]
fn where_legal_moves_begin_and_arrive_is_known() {
    for body in [
        "legal --[qrbn]",
        "legal --[QRBN]",
        "legal [QR]--[qr]",
        "legal [qrbn]--A",
        "legal N--h5",
        "legal n--d4-5",
        "legal K--g1-8",
        "legal k--c-g8",
        "legal [KR]--f-g1",
        "legal P--e4-5",
        "legal p--a-h5",
        "pseudolegal P--a-h6",
        "pseudolegal --[Kk]",
        "legal P--a-h8",
        "legal --d5",
        "legal --(enpassant)",
        "legal P--a-h6(enpassant)",
        "legal --e-h1(castle)",
        "legal --[qrbn](check)",
        "legal N[x][qr]",
        "legal P[x]p",
        "countmoves legal --[qr]>1",
        "#legal [QRB]--d-e4-5>1",
        "not legal --[qrbn]",
        "{legal N--} attackedby p",
        "x∊[rbnp] {not a->x legal --x}",
        "x∊[QRBN] {y∊legal x--a {legal .--y}}",
        "x∊legal --a {not a->x}",
        "flipcolor {Goal=[qr] & ~a->[qr] legal [NBP]--Goal}",
        "flipcolor {wtm legal [KQ]--q|r}",
        "child:{legal A--a}",
        "move legal from N to h5",
        "move to [qrbn] legal",
        "move pseudolegal from [qr] to A",
        "countmoves move from Q to a legal>1",
        "pass(legal [QR]--k)",
        "without(q legal --k)",
    ] {
        assert_same("", body, "");
    }
}

#[test]
fn checks_and_mates_are_looked_for_where_they_may_be_given() {
    for body in [
        "legal --(mate)",
        "legal --(check)",
        "not legal --(check)",
        "legal N--(check)",
        "legal [qr]--A(check)",
        "legal --(check legal -- == 1)",
        "legal --(castle check)",
        "legal --(enpassant check)",
        "legal P--(check)",
        "legal --=N(check)",
        "legal --(check not {to attacks [Kk]})",
        "pseudolegal --(check)",
        "countmoves legal --(check)>2",
        "countmoves legal --(mate)==1",
        "countmoves legal --(mate)==0",
        "1<=countmoves legal --(check)",
        "legal Q--(mate) or legal k--(check)",
        "flipcolor {wtm legal [QR]--(check)}",
        "pass(legal --(mate))",
        "pass(wtm legal [QN]--(check))",
        "pass({K Q} legal --(check))",
        "not pass(legal --(mate))",
        "pass(pass(legal --(check)))",
        "child:{legal --(mate)}",
        "--(pass(legal --(mate)))",
        "without(q legal --(check))",
    ] {
        assert_same("", body, "");
        assert_same_in("cql(input chess960.pgn variations)", "", body, "");
        assert_same_in("cql(input what-if.pgn variations)", "", body, "");
    }
}

#[test]
fn kings_that_castle_arrive_where_their_rook_stands_or_stay() {
    let header = "cql(input chess960.pgn variations)";
    for body in [
        "legal --[RK]",
        "legal --[rk]",
        "legal --K",
        "legal k--[rk]",
        "legal [KR]--[QRK]",
        "legal K--c-g1",
        "legal K--_a-h1",
        "#legal K--[RK]a-h1==1",
        "not legal --[RrKk]",
    ] {
        assert_same_in(header, "", body, "");
    }
    let (found, _) = found(&format!("{header} legal K--[RK]"), FormatName::Ids);
    assert!(!found.is_empty(), "kings arrive there");
}

#[test]
fn promoted_pieces_are_looked_for_where_pawns_are_promoted() {
    for body in [
        "promotedpieces",
        "promotedpieces & Q",
        "promotedpieces & [Qq]>1",
        "flipcolor {promotedpieces & N check}",
        "not promotedpieces Q",
        "~promotedpieces & Q",
        "promotedpieces==[] terminal",
        "x∊promotedpieces {x attacks [Kk]}",
    ] {
        assert_same("", body, "");
    }
}

#[test]
fn a_path_or_a_line_that_bans_others_is_evaluated_wherever_it_is_reached() {
    for (body, after) in [
        ("path quiet nestban -- -- --", "check"),
        ("path quiet nestban -- -- --", "Kg1 or K attacks q"),
        ("line quiet nestban --> .* --> check", "[Kk]a-h1"),
        ("line quiet nestban --> wtm --> btm", "Q attacks k"),
        ("not path quiet nestban -- --", "wtm"),
        ("path quiet nestban --{2,3}", "[RQ] attacks a"),
    ] {
        assert_same("", &format!("{{{body}}} {after}"), "");
    }
}

#[test]
fn what_the_last_path_has_found_is_told_wherever_it_is_asked() {
    for body in [
        "{pathcount>0 or btm} {path quiet --} wtm",
        "{path quiet [Aa][x][Aa] or true} wtm pathcount>0",
        "{path quiet a[x]A or true} wtm pathcount>0",
        "{pathlastposition:check or btm} {path quiet -- --} Q",
    ] {
        assert_same("", body, "");
    }
}

#[test]
fn comments_that_stay_are_written_wherever_the_query_is_evaluated() {
    let mut options = query::Options::default();
    options.annotations.always_comment = true;
    for body in [
        "{path -- check} [RQ]",
        "{line --> check} R",
        "{find check} terminal",
        "{find all check>0} terminal",
        "{not find mate} Q",
        "comment(\"here\") check",
    ] {
        let source = source(&format!("cql(input game-tree.pgn variations) {body}"));
        let expected = found_with(&options, &source, &[FormatName::Pgn]);
        for shortcuts in switched_off() {
            let options = query::Options {
                shortcuts,
                ..options.clone()
            };
            assert_eq!(found_with(&options, &source, &[FormatName::Pgn]), expected, "{body}");
        }
    }
}
